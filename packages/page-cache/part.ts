import { definePart, value } from '@pergola/core';
import { database, dbPart } from '@pergola/db';
import { PageCache } from './page-cache.ts';

export const pageCache = value<PageCache>('page cache');

/** Rendered pages, kept until a table they were read from changes. */
export const pageCachePart = definePart({
  name: 'page-cache',
  needs: [dbPart],
  provide({ config, get, set }) {
    const { changes } = get(database);
    set(pageCache, new PageCache({ changes, secure: config.baseUrl.startsWith('https:'), dev: config.dev }));
  },
  phases: {
    close: ({ get }) => get(pageCache).close(),
  },
});
