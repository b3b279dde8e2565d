/** Public interface of the HTTP server for other packages. */

export type { Address, AddressResolver } from './address.ts';
export { identityOf } from './identity.ts';
export { sessions } from './keys.ts';
export { localPaths } from './local-paths.ts';
export { httpPart } from './part.ts';
export * from './public.ts';
export { action } from './routes/action.ts';
export { type Reply, redirect, reply } from './routes/reply.ts';
export {
  extendRoute,
  type FallbackDefinition,
  type InvalidForm,
  type PageInput,
  record,
  route,
} from './routes/route.ts';
export type { RouteListing } from './routes/route-table.ts';
export { safePath } from './security/safe-path.ts';
export { serveHttp } from './serve-http.ts';
export type { HttpServer } from './server.ts';
export { type DiskSpace, type Vitals, vitals } from './types.ts';

// For tools.

export { fitsParam } from './routes/params.ts';
export type { ParamSpec, RateLimit } from './routes/route.ts';
export { signText, timingSafeEqualText, verifyText } from './security/crypto.ts';
