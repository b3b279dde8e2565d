import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '@pergola/core';
import { costLedger } from '@pergola/operations';
import { WROTE_COOKIE } from '../packages/page-cache/page-cache.ts';
import { type Served, serveApp, startRole } from './app-process.ts';
import { load, loadOptions, median, warmUp } from './harness.ts';

/**
 * Uncached pages of the demo site with and without measuring what each addon costs, in turns in one process: two processes differ by more than
 * the limit, 2 % of the CPU. Names other pages as arguments: `costs.ts /shop /forum/help-1`.
 */
async function measure(): Promise<void> {
  const server = await startRole(import.meta.url, 'server');
  const named = process.argv.slice(2).filter((word) => word.startsWith('/'));
  try {
    console.log('| page | CPU µs, not measured | CPU µs, measured | CPU ratio |\n| --- | --- | --- | --- |');
    for (const page of named.length > 0 ? named : ['/shop', '/event']) {
      const rounds = await inTurns(server, page);
      const [plain, measured] = [
        median(rounds.map((round) => round.plain)),
        median(rounds.map((round) => round.measured)),
      ];
      const ratio = median(rounds.map((round) => round.measured / round.plain));
      console.log(`| ${page} | ${Math.round(plain)} | ${Math.round(measured)} | ${ratio.toFixed(3)} |`);
    }
    console.log('Limit: CPU ratio 1.02.');
  } finally {
    await server.stop();
  }
}

const modes = ['plain', 'measured'] as const;
type Round = Record<(typeof modes)[number], number>;

/** CPU per request of each round. */
async function inTurns(server: Served, page: string): Promise<Round[]> {
  const { rounds = 24, seconds = 4, connections = 4 } = loadOptions();
  const headers = { cookie: `${WROTE_COOKIE}=elsewhere` };
  const subject = { name: page, url: server.url + page, pid: server.pid, headers };
  const cpuOf = async (mode: keyof Round): Promise<number> => {
    await server.ask(mode);
    return (await load(subject, seconds, connections)).cpuPerRequest;
  };
  // The first requests compile the page, which takes seconds on a busy machine.
  for (let n = 0; n < 5; n++) await fetch(subject.url, { headers });
  await warmUp(async () => (await load(subject, 2, connections)).requestsPerSecond * 2);
  const figures: Round[] = [];
  for (let round = 0; round < rounds; round++) {
    const figure: Round = { plain: 0, measured: 0 };
    for (const mode of round % 2 === 0 ? modes : modes.toReversed()) figure[mode] = await cpuOf(mode);
    figures.push(figure);
  }
  return figures;
}

if (process.argv[2] === 'server') {
  await serveApp({ addons: readdirSync(join(repository, 'addons')), demo: true }, async (app) => {
    const ledger = app.application.get(costLedger);
    const open = ledger.open.bind(ledger);
    process.on('message', (mode) => {
      Object.assign(ledger, { open: mode === 'plain' ? () => null : open });
      process.send?.('done');
    });
    await app.application.startBackground();
    return '';
  });
} else await measure();
