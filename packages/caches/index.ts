// Public API of the package; see README.md for its purpose.

export { type CacheSize, cacheSizes, namedCache, roughBytes } from './named-cache.ts';
