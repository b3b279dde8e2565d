import { definePart, rowReader, value } from '@pergola/core';
import { database, dbPart } from '@pergola/db';
import { PageCache } from './page-cache.ts';
import { RowCache } from './row-cache.ts';

export const pageCache = value<PageCache>('page cache');
const rowCache = value<RowCache>('row cache');

/** Caches rendered pages, and rows used by several pages, until a table they were read from changes. */
export const pageCachePart = definePart({
  name: 'page-cache',
  needs: [dbPart],
  provide({ config, get, set }) {
    const { changes } = get(database);
    set(pageCache, new PageCache({ changes, secure: config.baseUrl.startsWith('https:'), dev: config.dev }));
    set(rowCache, new RowCache(changes));
  },
  values: ({ get }, { cachedRows }) => ({ [rowReader.name]: cachedRows ? get(rowCache) : null }),
  phases: {
    close: ({ get }) => get(pageCache).close(),
  },
});

declare module '@pergola/core/context-options' {
  interface ContextOptions {
    /** Whether cached rows may be used as long as none of their tables has changed. Ignored in contexts that write. */
    readonly cachedRows?: boolean;
  }
}
