/** Exports for addons, under `pergola/http`. */

export { type BearerProvider, bearerIdentity, isBearerToken, writeBeside } from './bearer.ts';
export { anonymousIdentity, type IdentityProvider } from './identity.ts';
export type { RouteCall, RouteFault, RouteKind } from './kinds/kind.ts';
export { routes } from './points.ts';
export { giveBackSignIn, takeRate, takeSignIn } from './rate-limits/rate-limit-ctx.ts';
export { callRate } from './rate-limits/rates.ts';
export type { Action } from './routes/action.ts';
export { pathsIn } from './routes/params.ts';
export {
  addValues,
  type FormQuestion,
  type HttpInput,
  type PageExtras,
  type RecordParam,
  type RenderFragment,
  type RenderPage,
  type RouteDefinition,
  type RouteExtension,
  type RpcRoute,
  routeKind,
  type SentForm,
  type Upload,
} from './routes/route.ts';
export { isLoopback, isPrivateNetwork, networkOf } from './security/hosts-address.ts';
export type { CspSource } from './security/security-headers-sources.ts';
export { endSessions, listSessions } from './sessions/session-admin.ts';
export { SESSION_TABLE } from './sessions/session-rows.ts';
export { defaultLimits } from './sessions/sessions.ts';
