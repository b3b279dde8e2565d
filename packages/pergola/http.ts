/** Additional HTTP API: types of routes and files, rate limits, sessions, addresses. */

export { fromBase64, type ImageLimits } from '@pergola/files';
export type { FormQuestion, PageExtras, SentForm } from '@pergola/http';
export {
  type Action,
  addValues,
  anonymousIdentity,
  type BearerProvider,
  bearerIdentity,
  type CspSource,
  callRate,
  defaultLimits,
  endSessions,
  giveBackSignIn,
  type HttpInput,
  type IdentityProvider,
  isBearerToken,
  isLoopback,
  isPrivateNetwork,
  listSessions,
  networkOf,
  pathsIn,
  type RecordParam,
  type RenderFragment,
  type RenderPage,
  type RouteDefinition,
  type RouteExtension,
  type RpcRoute,
  routes,
  SESSION_TABLE,
  takeRate,
  takeSignIn,
  type Upload,
  writeBeside,
} from '@pergola/http';
export type { LiveValues } from '@pergola/page-cache';
