import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import type { RunningServer } from '../../tools/testing/server.ts';
import { residentMemory } from '../processes.ts';
import { type Check, call, contacts, finding, openSite, pergola, quantile, signedIn, watchPage } from './site.ts';

const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(0)} MB`;
/** A page that is made anew for each visitor. */
const UNKEPT = '/web/login?redirect=/contactus';

const saved: Check = {
  id: 'C11',
  title: 'A backup while 50 contacts a second are written, restored into an empty place',
  async run() {
    await using site = await openSite('sqlite');
    await using other = await openSite('sqlite');
    const node = await site.node();
    const client = await signedIn(node.url);
    const acknowledged: string[] = [];
    let stopped = false;
    const writing = (async () => {
      for (let at = 0; !stopped; at++) {
        await call(client, 'res.partner', 'create', { name: `c11 ${at}` });
        acknowledged.push(`c11 ${at}`);
        await sleep(20);
      }
    })();
    const before = watchPage(node.url + UNKEPT, 20);
    await sleep(2000);
    const usual = quantile((await before.stop()).times, 0.95);
    const [known, watching] = [acknowledged.length, watchPage(node.url + UNKEPT, 20)];
    const file = join(other.dataDir, 'backup.tar.gz');
    await pergola(['backup', file], site.databaseUrl, site.dataDir);
    const during = quantile((await watching.stop()).times, 0.95);
    stopped = true;
    await writing;
    await pergola(['restore', file], other.databaseUrl, other.dataDir);
    const restored = await other.node();
    const kept = new Set(await contacts(await signedIn(restored.url), 'c11 '));
    const missing = acknowledged.slice(0, known).filter((name) => !kept.has(name));
    return [
      finding(
        'writes before the backup that are missing',
        `${missing.length} of ${known}`,
        '0',
        missing.length === 0 && known > 0,
      ),
      finding(
        'p95 of a page meanwhile',
        `${during.toFixed(0)} ms, before ${usual.toFixed(0)} ms`,
        '3 times',
        during < Math.max(50, 3 * usual),
      ),
    ];
  },
};

const overload: Check = {
  id: 'C19',
  title: 'Three times the requests that it can answer',
  async run() {
    await using site = await openSite('sqlite');
    const node = await site.node();
    const url = node.url + UNKEPT;
    await autocannon({ url, connections: 16, duration: 3 });
    const peak = await autocannon({ url, connections: 16, duration: 6 });
    const memory = residentMemory(node.pid);
    const rate = Math.round(peak.requests.average * 3);
    const over = await autocannon({ url, connections: 300, duration: 20, overallRate: rate, timeout: 20 });
    await sleep(3000);
    const after = await autocannon({ url, connections: 16, duration: 5 });
    const good = over['2xx'] / over.duration;
    const grown = residentMemory(node.pid) - memory;
    return [
      finding(
        'answered of what it can',
        `${((100 * good) / peak.requests.average).toFixed(0)} % of ${peak.requests.average.toFixed(0)} a second`,
        '80 %',
        good > 0.8 * peak.requests.average,
      ),
      finding(
        'others are told to come back',
        `${over.non2xx} times, ${over.errors} errors`,
        'no errors',
        over.errors === 0,
      ),
      finding('p99', `${over.latency.p99} ms`, '2 s', over.latency.p99 < 2000),
      finding(
        'as before afterwards',
        `${after.requests.average.toFixed(0)} a second`,
        '80 %',
        after.requests.average > 0.8 * peak.requests.average,
      ),
      finding('memory', `+${megabytes(grown)}`, '200 MB', grown < 200 * 2 ** 20),
    ];
  },
};

const signIns: Check = {
  id: 'C21',
  title: '200 sign-ins at once, half of them wrong',
  async run() {
    await using site = await openSite('sqlite');
    const node = await site.node();
    const usual = await usualTime(node.url);
    const page = watchPage(node.url);
    const began = performance.now();
    const tries = Array.from({ length: 200 }, (_, at) =>
      signedIn(node.url, at % 2 ? 'portal' : `nobody${at}`).catch(() => null),
    );
    await Promise.all(tries);
    const took = performance.now() - began;
    const p95 = quantile((await page.stop()).times, 0.95);
    const memory = residentMemory(node.pid);
    return [
      finding('all answered', `${took.toFixed(0)} ms`, '60 s', took < 60_000),
      finding('p95 of a page meanwhile', `${p95.toFixed(0)} ms, alone ${usual.toFixed(0)} ms`, '500 ms', p95 < 500),
      finding('memory', megabytes(memory), '1 GB', memory < 2 ** 30),
    ];
  },
};

const slow: Check = {
  id: 'C22',
  title: '1,000 connections that send their request in drops',
  async run() {
    await using site = await openSite('sqlite');
    const node = await site.node();
    // A process that has just started grows by what it serves alone.
    const usual = await usualTime(node.url, 15_000);
    const memory = residentMemory(node.pid);
    const heads = drip(node, 500, 'GET / HTTP/1.1\r\nHost: x\r\nX-A: ');
    const bodies = drip(
      node,
      500,
      `POST /web/login HTTP/1.1\r\nHost: 127.0.0.1:${node.port}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 4000\r\n\r\n`,
    );
    const page = watchPage(node.url);
    await sleep(32_000);
    const p95 = quantile((await page.stop()).times, 0.95);
    const open = heads.open() + bodies.open();
    const grown = residentMemory(node.pid) - memory;
    heads.end();
    bodies.end();
    return [
      finding('still open after 32 s', open, '0', open === 0),
      finding(
        'p95 of a page meanwhile',
        `${p95.toFixed(1)} ms, alone ${usual.toFixed(1)} ms`,
        '3 times, or 50 ms',
        p95 < Math.max(50, 3 * usual),
      ),
      finding('memory', `+${megabytes(grown)}`, '50 MB', grown < 50 * 2 ** 20),
    ];
  },
};

/** The time in which 95 of 100 requests are answered while nothing else happens, in ms. */
async function usualTime(url: string, ms = 2000): Promise<number> {
  const page = watchPage(url);
  await sleep(ms);
  return quantile((await page.stop()).times, 0.95);
}

/** Opens connections that send `begin`, then a sign every two seconds. */
function drip(node: RunningServer, count: number, begin: string): { open(): number; end(): void } {
  let open = count;
  const sockets = Array.from({ length: count }, () => {
    const socket = connect(node.port, '127.0.0.1', () => socket.write(begin));
    socket.on('error', () => {}).on('close', () => open--);
    return socket;
  });
  const timer = setInterval(() => {
    for (const socket of sockets) if (socket.writable) socket.write('a');
  }, 2000);
  return {
    open: () => open,
    end() {
      clearInterval(timer);
      for (const socket of sockets) socket.destroy();
    },
  };
}

export const loadChecks: readonly Check[] = [saved, overload, signIns, slow];
