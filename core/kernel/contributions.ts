/**
 * What addons may register, by the key under which they do it. The owner of a point adds its key by declaration merging:
 *
 * ```ts
 * declare module 'pergola/contributions' { interface Contributions { routes: readonly RouteDefinition[] } }
 * ```
 *
 * All must name this module: TypeScript merges declarations of one interface that are made under several names of it in the order of the files and drops
 * some. Hence `pergola` doesn't export it.
 */
// biome-ignore lint/suspicious/noEmptyInterface: the owners of points fill it by declaration merging
export interface Contributions {}
