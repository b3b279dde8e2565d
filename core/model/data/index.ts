export type { ShippedSet } from './entries.ts';
export { type LoadOptions, type LoadResult, loadData } from './load.ts';
export { externalIdsOfRecords, resolveRef } from './resolve.ts';
