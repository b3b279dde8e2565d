import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getHeapStatistics } from 'node:v8';
import { releaseHeap } from '../heap-release.ts';

const held = () => getHeapStatistics().total_physical_size;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

it('What a load took is given back once nobody asks any more', async () => {
  const server = createServer((_req, res) => res.end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const spare = releaseHeap(server, { quietMs: 1500 });
  const ask = () => fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  try {
    let load: unknown[] | null = Array.from({ length: 60 }, (_, at) => new Array<number>(250_000).fill(at));
    await ask();
    await pause(1000);
    await ask();
    expect(load).toHaveLength(60);
    const high = held();
    load = null;
    await pause(600);
    // The first request is long enough ago, the last one is not.
    expect(held()).toBeGreaterThan(high - 40e6);
    for (const end = Date.now() + 10_000; held() >= high - 80e6 && Date.now() < end; ) await pause(50);
    expect(held()).toBeLessThan(high - 80e6);
  } finally {
    spare.stop();
    server.close();
  }
});
