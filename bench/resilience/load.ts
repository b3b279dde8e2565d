import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import type { RunningServer } from '../../tools/testing/server.ts';
import { residentMemory } from '../processes.ts';
import { type Check, call, contacts, finding, openSite, pergola, quantile, signedIn, watchPage } from './site.ts';

const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(0)} MB`;
/** A page that is never cached. */
const UNKEPT = '/web/login?redirect=/contactus';

const saved: Check = {
  id: 'C11',
  title: 'A backup while 50 contacts a second are written, restored into an empty folder',
  async run() {
    await using site = await openSite('sqlite');
    await using other = await openSite('sqlite');
    const node = await site.node();
    const client = await signedIn(node.url);
    const acknowledged: string[] = [];
    let stopped = false;
    const writing = (async () => {
      for (let index = 0; !stopped; index++) {
        await call(client, 'res.partner', 'create', { name: `c11 ${index}` });
        acknowledged.push(`c11 ${index}`);
        await sleep(20);
      }
    })();
    const before = watchPage(node.url + UNKEPT, 20);
    await sleep(2000);
    const idleP95 = quantile((await before.stop()).times, 0.95);
    const [acknowledgedCount, watching] = [acknowledged.length, watchPage(node.url + UNKEPT, 20)];
    const file = join(other.dataDir, 'backup.tar.gz');
    await pergola(['backup', file], site.databaseUrl, site.dataDir);
    const during = quantile((await watching.stop()).times, 0.95);
    stopped = true;
    await writing;
    await pergola(['restore', file], other.databaseUrl, other.dataDir);
    const restored = await other.node();
    const storedNames = new Set(await contacts(await signedIn(restored.url), 'c11 '));
    const missing = acknowledged.slice(0, acknowledgedCount).filter((name) => !storedNames.has(name));
    return [
      finding(
        'writes before the backup that are missing',
        `${missing.length} of ${acknowledgedCount}`,
        '0',
        missing.length === 0 && acknowledgedCount > 0,
      ),
      finding(
        'p95 of a page during the check',
        `${during.toFixed(0)} ms, before ${idleP95.toFixed(0)} ms`,
        '3 times',
        during < Math.max(50, 3 * idleP95),
      ),
    ];
  },
};

const overload: Check = {
  id: 'C19',
  title: 'Three times the requests that it can handle',
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
    const growth = residentMemory(node.pid) - memory;
    return [
      finding(
        'share of its capacity still served',
        `${((100 * good) / peak.requests.average).toFixed(0)} % of ${peak.requests.average.toFixed(0)} a second`,
        '80 %',
        good > 0.8 * peak.requests.average,
      ),
      finding(
        'the rest get Retry-After',
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
      finding('memory', `+${megabytes(growth)}`, '200 MB', growth < 200 * 2 ** 20),
    ];
  },
};

const signIns: Check = {
  id: 'C21',
  title: '200 simultaneous sign-ins, half of them wrong',
  async run() {
    await using site = await openSite('sqlite');
    const node = await site.node();
    const idleP95 = await usualTime(node.url);
    const page = watchPage(node.url);
    const startedAt = performance.now();
    const signIns = Array.from({ length: 200 }, (_, index) =>
      signedIn(node.url, index % 2 ? 'portal' : `nobody${index}`).catch(() => null),
    );
    await Promise.all(signIns);
    const took = performance.now() - startedAt;
    const p95 = quantile((await page.stop()).times, 0.95);
    const memory = residentMemory(node.pid);
    return [
      finding('all answered', `${took.toFixed(0)} ms`, '60 s', took < 60_000),
      finding(
        'p95 of a page during the check',
        `${p95.toFixed(0)} ms, alone ${idleP95.toFixed(0)} ms`,
        '500 ms',
        p95 < 500,
      ),
      finding('memory', megabytes(memory), '1 GB', memory < 2 ** 30),
    ];
  },
};

const slow: Check = {
  id: 'C22',
  title: '1,000 connections that send their request byte by byte',
  async run() {
    await using site = await openSite('sqlite');
    const node = await site.node();
    // Warms up first: a new process grows just from serving pages, which the check would count.
    const idleP95 = await usualTime(node.url, 15_000);
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
    const openCount = heads.open() + bodies.open();
    const growth = residentMemory(node.pid) - memory;
    heads.end();
    bodies.end();
    return [
      finding('still open after 32 s', openCount, '0', openCount === 0),
      finding(
        'p95 of a page during the check',
        `${p95.toFixed(1)} ms, alone ${idleP95.toFixed(1)} ms`,
        '3 times, or 50 ms',
        p95 < Math.max(50, 3 * idleP95),
      ),
      finding('memory', `+${megabytes(growth)}`, '50 MB', growth < 50 * 2 ** 20),
    ];
  },
};

/** 95th percentile of response times on an idle server, in ms. */
async function usualTime(url: string, ms = 2000): Promise<number> {
  const page = watchPage(url);
  await sleep(ms);
  return quantile((await page.stop()).times, 0.95);
}

/** Opens connections that send `begin`, then one character every two seconds. */
function drip(node: RunningServer, count: number, begin: string): { open(): number; end(): void } {
  let openCount = count;
  const sockets = Array.from({ length: count }, () => {
    const socket = connect(node.port, '127.0.0.1', () => socket.write(begin));
    socket.on('error', () => {}).on('close', () => openCount--);
    return socket;
  });
  const timer = setInterval(() => {
    for (const socket of sockets) if (socket.writable) socket.write('a');
  }, 2000);
  return {
    open: () => openCount,
    end() {
      clearInterval(timer);
      for (const socket of sockets) socket.destroy();
    },
  };
}

export const loadChecks: readonly Check[] = [saved, overload, signIns, slow];
