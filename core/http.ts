/** More of serving: types of routes and files, rates, sessions, addresses. */

export type { Memory } from './cache/live-value.ts';
export type { ImageLimits } from './files/types.ts';
export type { IdentityProvider } from './http/identity.ts';
export { anonymousIdentity } from './http/identity.ts';
export { routes } from './http/points.ts';
export { giveBackSignIn, takeRate, takeSignIn } from './http/rate-limits/rate-limit-ctx.ts';
export { callRate } from './http/rate-limits/rates.ts';
export { pathsIn } from './http/routes/params.ts';
export {
  addValues,
  type HttpInput,
  type RouteDefinition,
  type RouteExtension,
  type Upload,
} from './http/routes/route.ts';
export { isPrivateNetwork, networkOf } from './http/security/hosts-address.ts';
export type { CspSource } from './http/security/security-headers-sources.ts';
export { endSessions, listSessions } from './http/sessions/session-admin.ts';
