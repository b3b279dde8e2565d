import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '@pergola/core';
import { costLedger } from '@pergola/operations';
import { WROTE_COOKIE } from '../packages/page-cache/page-cache.ts';
import { serveApp, startRole } from './app-process.ts';
import { compare, loadOptions, ratioTable } from './harness.ts';

/**
 * Uncached pages of the demo site with and without measuring what each addon costs: the same processes, whose only difference is that one
 * opens no accounts. Limit: 2 % of the CPU. Names other pages as arguments: `costs.ts /shop /forum/help-1`.
 */
async function measure(): Promise<void> {
  const servers = [await startRole(import.meta.url, 'plain'), await startRole(import.meta.url, 'measured')];
  const named = process.argv.slice(2).filter((word) => word.startsWith('/'));
  try {
    for (const page of named.length > 0 ? named : ['/shop', '/event']) {
      const cases = servers.map(({ url, pid }, index) => ({
        name: `${page}, ${index === 0 ? 'not measured' : 'measured'}`,
        url: url + page,
        pid,
        headers: { cookie: `${WROTE_COOKIE}=elsewhere` },
      }));
      // The first requests compile the page, which takes seconds on a busy machine.
      for (let n = 0; n < 5; n += 1) await Promise.all(cases.map(({ url, headers }) => fetch(url, { headers })));
      console.log(ratioTable(await compare(cases, loadOptions())));
    }
    console.log('Limit: CPU ratio 1.02.');
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

const [role] = process.argv.slice(2);
if (role === 'plain' || role === 'measured') {
  await serveApp({ addons: readdirSync(join(repository, 'addons')), demo: true }, async (app) => {
    if (role === 'plain') Object.assign(app.application.get(costLedger), { open: () => null });
    await app.application.startBackground();
    return '';
  });
} else await measure();
