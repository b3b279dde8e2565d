import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '../../tools/testing/client.ts';
import { residentMemory } from '../processes.ts';
import { type Check, call, finding, openSite, pergola, signedIn } from './site.ts';

const minutes = Number(process.env.SOAK_MINUTES ?? 30);
/** Minutes until caches are filled. */
const WARM = Math.min(5, Math.floor(minutes / 2));

/** Pages that ten visitors walk through, each starting at another one. */
const walk = [
  '/',
  '/fr',
  '/contactus',
  '/web/login',
  '/sitemap.xml',
  '/shop',
  '/shop?search=a',
  '/shop/cart',
  '/event',
  '/forum',
  '/teams',
  '/matchs',
  '/news',
  '/newsletter',
  '/nothing-here',
  '/web/session/get_session_info',
];

const soak: Check = {
  id: 'C25',
  title: `${minutes} minutes at 50 requests a second, an addon switched each minute`,
  async run() {
    await using site = await openSite('sqlite');
    const node = await site.node();
    const client = await signedIn(node.url);
    const [faults, stop]: [string[], AbortController] = [[], new AbortController()];
    let count = 0;
    const visitors = Array.from({ length: 10 }, async (_, index) => {
      for (let turn = index; !stop.signal.aborted; turn++) {
        const path = walk[turn % walk.length] ?? '/';
        const response = await fetch(node.url + path).catch((error: unknown) => String(error));
        if (typeof response === 'string') faults.push(`${path}: ${response}`);
        else {
          await response.text();
          if (response.status >= 500) faults.push(`${path}: ${response.status}`);
        }
        count++;
        await sleep(190);
      }
    });
    const [memory, descriptors]: [number[], number[]] = [[], []];
    for (let minute = 0; minute < minutes; minute++) {
      const startedAt = performance.now();
      await pergola([minute % 2 ? 'enable' : 'disable', 'mass_mailing', '--yes'], site.databaseUrl, site.dataDir).catch(
        (error: unknown) => faults.push(`switch: ${error}`),
      );
      await call(client, 'res.partner', 'create', { name: `soak ${minute}` });
      await visit(node.url, minute).catch((error: unknown) => faults.push(`journey: ${error}`));
      await sleep(Math.max(0, 60_000 - (performance.now() - startedAt)));
      memory.push(residentMemory(node.pid));
      descriptors.push(readdirSync(`/proc/${node.pid}/fd`).length);
      console.error(
        `minute ${minute}: ${(memory.at(-1) ?? 0) >> 20} MB, ${descriptors.at(-1)} descriptors, ${faults.length} faults`,
      );
    }
    stop.abort();
    await Promise.all(visitors);
    const growth = slope(memory.slice(WARM));
    const more = (descriptors.at(-1) ?? 0) - (descriptors[WARM] ?? 0);
    const wal = statSync(join(site.dataDir, 'site.db-wal'), { throwIfNoEntry: false })?.size ?? 0;
    return [
      finding('faults', `${faults.length} of ${count} ${faults.slice(0, 3).join('; ')}`, '0', faults.length === 0),
      finding('memory a minute', `${(growth / 2 ** 20).toFixed(2)} MB`, '1 MB', growth < 2 ** 20),
      finding('additional descriptors since warm-up', more, '10', Math.abs(more) <= 10),
      finding('write-ahead log', `${(wal / 2 ** 20).toFixed(0)} MB`, '64 MB', wal < 64 * 2 ** 20),
    ];
  },
};

/** One user signs in, views their page and signs out; another changes the site. */
async function visit(url: string, minute: number): Promise<void> {
  const member = await signedIn(url, 'portal');
  await member.get('/my');
  await member.form('/web/logout');
  await new Client(url).form('/website/contact', {
    name: `Visitor ${minute}`,
    email: `visitor-${minute}@example.com`,
    message: 'A question about the season.',
  });
}

/** Growth per measurement: slope of the least-squares line. */
function slope(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const [rise, run] = values.reduce(
    ([up, squares], value, index) => [up + (index - middle) * (value - mean), squares + (index - middle) ** 2],
    [0, 0],
  );
  return run === 0 ? 0 : rise / run;
}

export const soakChecks: readonly Check[] = [soak];
