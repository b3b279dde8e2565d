/** More of serving: types of routes and files, rates, sessions, addresses. */

export type { LiveValues } from './cache/index.ts';
export type { ImageLimits } from './files/index.ts';
export {
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
  type RenderFragment,
  type RenderPage,
  type RouteDefinition,
  type RouteExtension,
  routes,
  SESSION_TABLE,
  takeRate,
  takeSignIn,
  type Upload,
  writeBeside,
} from './http/index.ts';
