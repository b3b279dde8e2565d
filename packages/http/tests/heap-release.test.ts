import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getHeapStatistics } from 'node:v8';
import { until } from '../../../tools/testing/until.ts';
import { releaseHeap } from '../heap-release.ts';

const heapBytes = () => getHeapStatistics().total_physical_size;

it('returns the memory of a load once no request has come for a while, and not before', async () => {
  const server = createServer((_req, res) => res.end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const request = () => fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  let load: unknown[] | null = Array.from({ length: 60 }, (_, index) => new Array<number>(250_000).fill(index));
  expect(load).toHaveLength(60);
  const peak = heapBytes();
  load = null;
  const busy = releaseHeap(server, { quietMs: 600_000 });
  try {
    await request();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(heapBytes()).toBeGreaterThan(peak - 40e6);
  } finally {
    busy.stop();
  }
  const quiet = releaseHeap(server, { quietMs: 20 });
  try {
    await request();
    await until(() => heapBytes() < peak - 80e6);
  } finally {
    quiet.stop();
    server.close();
  }
});
