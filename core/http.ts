/** More of serving: types of routes and files, rates, sessions, addresses. */

export { anonymousIdentity } from './app/identity.ts';
export type { Memory } from './cache/live-value.ts';
export type { IdentityProvider } from './context/identity.ts';
export type { ImageLimits } from './files/types.ts';
export { isPrivateNetwork, networkOf } from './http/hosts-address.ts';
export { pathsIn } from './http/params.ts';
export { routes } from './http/points.ts';
export { giveBackSignIn, takeRate, takeSignIn } from './http/rate-limit-ctx.ts';
export { callRate } from './http/rates.ts';
export { addValues, type HttpInput, type RouteDefinition, type RouteExtension, type Upload } from './http/route.ts';
export type { CspSource } from './http/security-headers-sources.ts';
export { endSessions, listSessions } from './http/session-admin.ts';
