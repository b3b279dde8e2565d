import { breakersPart } from '@pergola/cluster';
import { definePart, listener, listVariable, partConfig } from '@pergola/core';
import { database, dbPart } from '@pergola/db';
import { filesPart } from '@pergola/files';
import { assets, islandsPart } from '@pergola/islands';
import { job } from '@pergola/jobs';
import { ormPart } from '@pergola/orm';
import { pageCache, pageCachePart, requestAttributes } from '@pergola/page-cache';
import { pagesPart } from '@pergola/pages';
import { z } from 'zod';
import { guards, sessions } from './keys.ts';
import { httpPoints } from './points.ts';
import { DatabaseRateLimiter, rateLimiter } from './rate-limits/rate-limiter.ts';
import { createGuards } from './security/guards.ts';
import { serveHttp } from './serve-http.ts';
import { DatabaseSessions } from './sessions/sessions.ts';
import { tables } from './tables.ts';

/** Routes, sessions, rate limits and request guards. The server itself is created by `serveHttp`. */
export const httpPart = definePart({
  name: 'http',
  config: partConfig(
    {
      TRUSTED_PROXIES: listVariable(',')
        .default([])
        .describe('Addresses or networks whose X-Forwarded-* headers count'),
      ALLOWED_HOSTS: listVariable(',').default([]).describe('Host names served beside that of BASE_URL'),
    },
    ({ TRUSTED_PROXIES, ALLOWED_HOSTS }) => ({ trustedProxies: TRUSTED_PROXIES, allowedHosts: ALLOWED_HOSTS }),
  ),
  needs: [dbPart, breakersPart, pageCachePart, filesPart, ormPart, islandsPart, pagesPart],
  points: [requestAttributes, ...httpPoints],
  tables,
  clockStamps: [
    { table: 'core_session', stamp: 'seen_at', columns: ['created_at', 'seen_at', 'expires_at'] },
    { table: 'core_rate', stamp: 'expires_at', columns: ['expires_at'] },
  ],
  provide({ config, log, get, set }) {
    const secret = config.sessionSecret;
    const secure = config.baseUrl.startsWith('https:');
    const wroteHere = (wrote: string): boolean => get(pageCache).wroteHere(wrote);
    set(rateLimiter, new DatabaseRateLimiter({ database: get(database), log, secret }));
    set(sessions, new DatabaseSessions({ database: get(database), log, secret, secure, wroteHere }));
    set(listener, serveHttp);
    set(
      guards,
      createGuards(config, (generation) => generation.get(assets).inlineHashes),
    );
  },
  jobs: ({ get }) => [
    job('core.sweep', {
      input: z.object({}),
      cron: '*/10 * * * *',
      run: async () => {
        await get(sessions).sweep();
        await get(rateLimiter).sweep();
      },
    }),
  ],
  phases: {
    // Sign-ins waiting for their turn go to another node.
    async drain({ get }) {
      get(rateLimiter).close();
      return 0;
    },
    async stop({ get }) {
      get(rateLimiter).close();
      await get(sessions).close();
    },
  },
});

declare module '@pergola/core/config' {
  interface Config {
    readonly trustedProxies: readonly string[];
    readonly allowedHosts: readonly string[];
  }
}
