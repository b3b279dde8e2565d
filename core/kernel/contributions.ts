/**
 * Contributions of addons by key. The owner of a point adds its key by declaration merging:
 *
 * ```ts
 * declare module 'pergola/contributions' { interface Contributions { routes: readonly RouteDefinition[] } }
 * ```
 *
 * Always use this module name: if an interface is merged under several names of a module, TypeScript depends on the file order and drops
 * some declarations. That's also why `pergola` doesn't export it.
 */
// biome-ignore lint/suspicious/noEmptyInterface: owners of points fill it by declaration merging
export interface Contributions {}
