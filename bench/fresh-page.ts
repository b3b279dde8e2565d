import { fill } from '../tools/testing/fixtures/fx_reference/addon.ts';
import { openPostgres, serveApp, startRole, startString } from './app-process.ts';
import { capture, compare, loadOptions, ratioTable } from './harness.ts';

/**
 * An uncached page with three queries (20 cards, 21 KB), compared with a bare `node:http` server that returns the same text as a string
 * with the same headers. Limit: 12 times the CPU on SQLite. PostgreSQL is shown for comparison; the CPU of its own processes isn't counted.
 */
async function measure(): Promise<void> {
  const postgres = await openPostgres();
  const servers = [await startRole(import.meta.url, 'sqlite'), await startRole(import.meta.url, 'postgres')];
  const page = await capture(servers[0]?.url ?? '');
  const bare = await startString(page);
  try {
    const names = [
      `bare string of ${page.body.length} bytes`,
      'page with three queries, SQLite',
      'the same on PostgreSQL',
    ];
    const cases = [bare, ...servers].map(({ url, pid }, index) => ({ name: names[index] ?? '', url, pid }));
    console.log(ratioTable(await compare(cases, loadOptions())));
    console.log('Limit: CPU ratio 12 on SQLite.');
  } finally {
    await Promise.all([...servers, bare].map((server) => server.stop()));
    await postgres.close();
  }
}

const [role] = process.argv.slice(2);
if (role === 'sqlite' || role === 'postgres') {
  await serveApp({ addons: ['fx_reference'], database: role }, async (app) => {
    await app.write(fill);
    return '/reference/fresh';
  });
} else await measure();
