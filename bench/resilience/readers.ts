import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import type { RunningServer } from '../../tools/testing/server.ts';
import { residentMemory } from '../processes.ts';
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

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** A path from countries to their states and back; each repetition makes the statement about fifty times longer. */
const thereAndBack = (times: number): string => 'state_ids.country_id.'.repeat(times);
/** The longest domain allowed, written so that no record matches and every record has to be checked. */
const longest = ['|', '|', ...Array.from({ length: 3 }, () => [`${thereAndBack(2)}name`, '=', 'zzz'])];

/** Sends calls with this domain as a customer, each from its own client that disconnects after `afterMs`. Returns their outcomes. */
async function askAndLeave(node: RunningServer, domain: unknown, calls: number, afterMs: number): Promise<string[]> {
  const customer = await signedIn(node.url, 'portal');
  const requests = Array.from({ length: calls }, () =>
    Promise.race([
      call(customer, 'res.country', 'search_count', domain).then(String, (error: unknown) => String(error)),
      new Promise<string>((resolve) => setTimeout(resolve, afterMs, 'left')),
    ]),
  );
  return Promise.all(requests);
}

/** Measures the site while a customer runs these searches: an uncached page, and the readiness check. */
async function meanwhile(node: RunningServer, label: string, domain: unknown): Promise<Finding[]> {
  const pages = watchPage(`${node.url}/shop?search=shirt&from=${Math.random()}`);
  await sleep(1_000);
  const outcomes = await askAndLeave(node, domain, 8, 3_000);
  const { times, failed } = await pages.stop();
  const readyStatus = (await fetch(`${node.url}/readyz`)).status;
  const slowest = quantile(times, 0.95);
  return [
    finding(`${label}: 8 calls`, [...new Set(outcomes)].join('; ').slice(0, 90).replaceAll('|', ' '), '–', true),
    finding(`${label}: p95 of a page during the check`, `${slowest.toFixed(0)} ms`, '200 ms', slowest < 200),
    finding(`${label}: pages that failed`, failed.length, '0', failed.length === 0),
    finding(`${label}: ready afterwards`, readyStatus, '200', readyStatus === 200),
  ];
}

async function onDatabase(dialect: Dialect): Promise<Finding[]> {
  await using site = await openSite(dialect);
  const node = await site.node();
  await fetch(`${node.url}/shop`).then((response) => response.text());
  const six = await meanwhile(node, `${dialect}, six round trips`, [[`${thereAndBack(6)}name`, '=', 'zzz']]);
  const longestFindings = await meanwhile(node, `${dialect}, all that is allowed`, longest);
  void askAndLeave(node, longest, 8, 10).catch(() => {});
  await sleep(200);
  const startedAt = performance.now();
  await node.stop();
  const took = performance.now() - startedAt;
  return [
    ...six,
    ...longestFindings,
    finding(`${dialect}: SIGTERM during the check`, `${took.toFixed(0)} ms`, '10 s', took < 10_000),
  ];
}

const reads: Check = {
  id: 'C22r',
  title: 'A customer’s calls that are slow for the database',
  async run() {
    return [...(await onDatabase('sqlite')), ...(await onDatabase('postgres'))];
  },
};

const FILE_BYTES = 45 * 2 ** 20;

/** Uploads a public attachment and returns its URL. */
async function publish(node: RunningServer): Promise<string> {
  const editor = await signedIn(node.url, 'editor');
  const form = new FormData();
  form.set('csrf_token', await editor.csrfToken());
  form.set('upload', new Blob([randomBytes(FILE_BYTES)]), 'large.bin');
  const sent = await editor.request('/website/attach_file', {
    method: 'POST',
    body: form,
    headers: { Origin: node.url, Accept: 'application/json' },
  });
  const path = /\/web\/content\/[^"'\\<> ]+/.exec(sent.text)?.[0];
  if (!path) throw new Error(`The upload failed: ${sent.status} ${sent.text.slice(0, 200)}`);
  return path;
}

/**
 * Requests a path on this many connections without reading the response. `cut` resumes reading and returns how many responses arrived
 * complete.
 */
function silent(node: RunningServer, path: string, count: number): { cut(): Promise<number> } {
  const ask = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${node.port}\r\n\r\n`;
  const readers = Array.from({ length: count }, () => {
    const socket = connect(node.port, '127.0.0.1', () => socket.write(ask));
    return socket.on('error', () => {}).pause();
  });
  return {
    async cut() {
      let openCount = readers.length;
      for (const socket of readers) socket.on('close', () => openCount--).resume();
      await sleep(1_000);
      for (const socket of readers) socket.destroy();
      return openCount;
    },
  };
}

const silence: Check = {
  id: 'C22f',
  title: '25 visitors who request a file of 45 MB and read nothing',
  async run() {
    await using site = await openSite('sqlite');
    const node = await site.node();
    const path = await publish(node);
    const fullBody = await fetch(node.url + path).then((response) => response.arrayBuffer());
    await sleep(5_000);
    const memoryBefore = residentMemory(node.pid);
    const page = watchPage(node.url);
    const readers = silent(node, path, 25);
    let maxGrowth = 0;
    for (let seconds = 0; seconds < 60; seconds += 1) {
      await sleep(1_000);
      maxGrowth = Math.max(maxGrowth, residentMemory(node.pid) - memoryBefore);
    }
    const { times, failed } = await page.stop();
    const openCount = await readers.cut();
    const p95 = quantile(times, 0.95);
    return [
      finding(
        'received by a normal reader',
        `${fullBody.byteLength} bytes`,
        `${FILE_BYTES}`,
        fullBody.byteLength === FILE_BYTES,
      ),
      finding('memory', `+${(maxGrowth / 2 ** 20).toFixed(0)} MB`, '100 MB', maxGrowth < 100 * 2 ** 20),
      finding('p95 of a page during the check', `${p95.toFixed(0)} ms`, '200 ms', p95 < 200),
      finding('pages that failed', failed.length, '0', failed.length === 0),
      finding('not cut off after a minute', openCount, '0', openCount === 0),
    ];
  },
};

export const readerChecks: readonly Check[] = [reads, silence];
