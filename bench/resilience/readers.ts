import type { RunningServer } from '../../core/testing/server.ts';
import {
  type Check,
  call,
  type Dialect,
  type Finding,
  finding,
  openSite,
  quantile,
  signedIn,
  watchPage,
} from './site.ts';

/** A way there and back between countries and their states: each makes the statement some fifty times as long. */
const thereAndBack = (times: number): string => 'state_ids.country_id.'.repeat(times);
/** As long as a domain may be, in a way that no record fits and so every one is looked at. */
const longest = ['|', '|', '|', '|', ...Array.from({ length: 5 }, () => [`${thereAndBack(2)}name`, '=', 'zzz'])];

/** Calls of a customer that ask for this, each from a client of its own that goes away after so long; answers what became of them. */
async function askAndLeave(node: RunningServer, domain: unknown, calls: number, afterMs: number): Promise<string[]> {
  const customer = await signedIn(node.url, 'portal');
  const asked = Array.from({ length: calls }, () =>
    Promise.race([
      call(customer, 'res.country', 'search_count', domain).then(String, (error: unknown) => String(error)),
      new Promise<string>((resolve) => setTimeout(resolve, afterMs, 'left')),
    ]),
  );
  return Promise.all(asked);
}

/** Everything else while a customer asks for these: a page of which nothing is kept, and whether the node says that it is ready. */
async function meanwhile(node: RunningServer, what: string, domain: unknown): Promise<Finding[]> {
  const pages = watchPage(`${node.url}/shop?search=shirt&from=${Math.random()}`);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const said = await askAndLeave(node, domain, 8, 3_000);
  const { times, failed } = await pages.stop();
  const ready = (await fetch(`${node.url}/readyz`)).status;
  const slowest = quantile(times, 0.95);
  return [
    finding(`${what}: 8 calls`, [...new Set(said)].join('; ').slice(0, 90).replaceAll('|', ' '), '–', true),
    finding(`${what}: p95 of a page meanwhile`, `${slowest.toFixed(0)} ms`, '200 ms', slowest < 200),
    finding(`${what}: pages that failed`, failed.length, '0', failed.length === 0),
    finding(`${what}: ready afterwards`, ready, '200', ready === 200),
  ];
}

async function onDatabase(dialect: Dialect): Promise<Finding[]> {
  await using site = await openSite(dialect);
  const node = await site.node();
  await fetch(`${node.url}/shop`).then((answer) => answer.text());
  const six = await meanwhile(node, `${dialect}, six round trips`, [[`${thereAndBack(6)}name`, '=', 'zzz']]);
  const most = await meanwhile(node, `${dialect}, all that is allowed`, longest);
  void askAndLeave(node, longest, 8, 10).catch(() => {});
  await new Promise((resolve) => setTimeout(resolve, 200));
  const began = performance.now();
  await node.stop();
  const took = performance.now() - began;
  return [...six, ...most, finding(`${dialect}: SIGTERM meanwhile`, `${took.toFixed(0)} ms`, '10 s', took < 10_000)];
}

const reads: Check = {
  id: 'C22r',
  title: 'A customer’s calls that take a database long',
  async run() {
    return [...(await onDatabase('sqlite')), ...(await onDatabase('postgres'))];
  },
};

export const readerChecks: readonly Check[] = [reads];
