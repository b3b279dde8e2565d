import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveApp, startRole } from './app-process.ts';
import { writeFakeAddons } from './fake-addons.ts';
import { compare, loadOptions, ratioTable } from './harness.ts';

/** The same short response from a site with 3 routes and one with 300, requesting the last route: CPU per request must not differ. */
async function measure(): Promise<void> {
  const servers = [await startRole(import.meta.url, '3'), await startRole(import.meta.url, '300')];
  try {
    const names = ['one of 3 routes', 'one of 300 routes'];
    const cases = servers.map(({ url, pid }, index) => ({ name: names[index] ?? '', url, pid }));
    console.log(ratioTable(await compare(cases, loadOptions())));
    console.log('Limit: the same within the noise of the rounds (CPU ratio 1.05).');
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

const routes = Number(process.argv[2]);
if (routes === 3 || routes === 300) {
  const folder = mkdtempSync(join(tmpdir(), 'addons-'));
  const addons = writeFakeAddons(folder, { count: 1, routes });
  await serveApp({ addons, roots: [folder] }, async () => `/fake_0/${routes - 1}`);
} else await measure();
