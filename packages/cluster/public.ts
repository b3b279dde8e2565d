/** Exports for addons, under `pergola/kernel`. */

export { type BreakerKind, type BreakerReport, listBreakers, resetBreakers } from './breakers/store.ts';
