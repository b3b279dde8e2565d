/** Public interface of the HTTP server for other packages. */

export type { Address, AddressResolver } from './address.ts';
export { type BearerProvider, bearerIdentity, isBearerToken, writeBeside } from './bearer.ts';
export { anonymousIdentity, type IdentityProvider, identityOf } from './identity.ts';
export { sessions } from './keys.ts';
export { localPaths } from './local-paths.ts';
export { httpPart } from './part.ts';
export { routes } from './points.ts';
export { giveBackSignIn, takeRate, takeSignIn } from './rate-limits/rate-limit-ctx.ts';
export { callRate } from './rate-limits/rates.ts';
export { type Action, action } from './routes/action.ts';
export { pathsIn } from './routes/params.ts';
export {
  addValues,
  extendRoute,
  type FallbackDefinition,
  type FormQuestion,
  type HttpInput,
  type InvalidForm,
  type PageExtras,
  type PageInput,
  type RecordParam,
  type RenderFragment,
  type RenderPage,
  type Reply,
  type RouteDefinition,
  type RouteExtension,
  type RpcRoute,
  record,
  redirect,
  reply,
  route,
  type SentForm,
  type Upload,
} from './routes/route.ts';
export type { RouteListing } from './routes/route-table.ts';
export { isLoopback, isPrivateNetwork, networkOf } from './security/hosts-address.ts';
export { safePath } from './security/safe-path.ts';
export type { CspSource } from './security/security-headers-sources.ts';
export { serveHttp } from './serve-http.ts';
export type { HttpServer } from './server.ts';
export { endSessions, listSessions } from './sessions/session-admin.ts';
export { SESSION_TABLE } from './sessions/session-rows.ts';
export { defaultLimits } from './sessions/sessions.ts';
export { type DiskSpace, type Vitals, vitals } from './types.ts';

// For tools.

export { fitsParam } from './routes/params.ts';
export type { ParamSpec, RateLimit } from './routes/route.ts';
export { signText, timingSafeEqualText, verifyText } from './security/crypto.ts';
