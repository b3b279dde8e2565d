import { parseArgs } from 'node:util';
import { latestRehearsal, rehearsals } from '@pergola/rehearsal';
import { addonsWithNeeds } from '../tools/testing/addon-closure.ts';
import { type TestDialect, testDatabases } from '../tools/testing/databases.ts';
import { openPostgres, type Served, serveApp, startRole } from './app-process.ts';

/**
 * Rehearses disabling the forum on a demo site that serves: 1,000 pages in at most a minute on two cores, and visitors of the site wait at
 * most 10 % longer meanwhile (99th percentile).
 *
 * `--database sqlite`
 */
const MAX_SECONDS = 60;
const MAX_DELAY = 1.1;
const PAGES = 1_000;
/** Pause between requests of visitors, and how long they are measured before and after the rehearsal, in ms. */
const PAUSE_MS = 40;
const QUIET_MS = 30_000;

const place = { action: 'disable', addon: 'forum' } as const;
const paths = ['/', '/shop', '/event', '/about-us', '/club'];

interface State {
  readonly state: string;
  readonly pages: number;
  readonly seconds: number;
  readonly verdict: string;
}

async function measure(database: TestDialect): Promise<boolean> {
  const server = await startRole(import.meta.url, 'server', database);
  try {
    for (const path of paths) for (let n = 0; n < 20; n++) await timeOf(server, path);
    const quiet = await waits(server, () => pause(QUIET_MS));
    await server.ask('begin');
    let report: State | null = null;
    const busy = await waits(server, async () => {
      do {
        await pause(500);
        report = await server.ask<State>('state');
      } while (report.state === 'running');
    });
    quiet.push(...(await waits(server, () => pause(QUIET_MS))));
    const { state, pages, seconds, verdict } = report ?? { state: '', pages: 0, seconds: 0, verdict: '' };
    const perThousand = Math.round((seconds / pages) * PAGES);
    const ratio = percentile(busy) / percentile(quiet);
    const [isFast, isCalm] = [perThousand <= MAX_SECONDS, ratio <= MAX_DELAY];
    console.log(
      `${isFast ? 'ok  ' : 'FAIL'} ${database}: ${state}, ${verdict}: ${pages} pages on both sides in ${seconds} s, ${perThousand} s per 1,000, at most ${MAX_SECONDS}`,
    );
    console.log(
      `${isCalm ? 'ok  ' : 'FAIL'} ${database}: p99 of the live site ${percentile(quiet).toFixed(1)} ms, during the rehearsal ${percentile(busy).toFixed(1)} ms: ${ratio.toFixed(2)} times, at most ${MAX_DELAY}; median ${percentile(quiet, 0.5).toFixed(1)} and ${percentile(busy, 0.5).toFixed(1)} ms`,
    );
    return isFast && isCalm;
  } finally {
    await server.stop();
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Times of visitors' requests, in ms, until some work is done. */
async function waits(server: Served, work: () => Promise<void>): Promise<number[]> {
  const times: Promise<number>[] = [];
  const timer = setInterval(() => {
    times.push(timeOf(server, paths[times.length % paths.length] ?? '/'));
  }, PAUSE_MS);
  await work();
  clearInterval(timer);
  return Promise.all(times);
}

async function timeOf({ url }: Served, path: string): Promise<number> {
  const startedAt = performance.now();
  await (await fetch(url + path)).text();
  return performance.now() - startedAt;
}

function percentile(times: readonly number[], share = 0.99): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? 0;
}

if (process.argv[2] === 'server') {
  const addons = addonsWithNeeds(['dribblo', 'forum', 'website_event', 'website_sale', 'quote', 'mass_mailing']).keys();
  const database = process.argv[3] as TestDialect;
  await serveApp({ addons: [...addons], demo: true, database }, async (app) => {
    process.on('message', async (message) => {
      if (message === 'begin') {
        process.send?.(await app.application.get(rehearsals).begin(place.action, place.addon, 'bench'));
        return;
      }
      const latest = await app.read((ctx) => latestRehearsal(ctx, place.action, place.addon));
      process.send?.({ state: latest?.state, ...latest?.report });
    });
    await app.application.startBackground();
    return '';
  });
} else {
  const { values } = parseArgs({ options: { database: { type: 'string' } } });
  const postgres = await openPostgres();
  try {
    for (const database of testDatabases)
      if ((values.database ?? database) === database && !(await measure(database))) process.exitCode = 1;
  } finally {
    await postgres.close();
  }
}
