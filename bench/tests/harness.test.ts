import {
  capture,
  compare,
  cpuTime,
  loadOptions,
  median,
  type Peer,
  ratioTable,
  residentMemory,
  startPeer,
  watchGaps,
} from '../harness.ts';

const answer = {
  status: 200,
  headers: [
    ['Content-Type', 'text/html; charset=utf-8'],
    ['X-Twice', '1'],
    ['X-Twice', '2'],
  ],
  body: Buffer.from('é'.repeat(5000)),
} as const;

let peer: Peer;
beforeAll(async () => {
  peer = await startPeer(answer);
});
afterAll(() => peer.stop());

test('A peer sends the bytes and headers that were captured', async () => {
  const first = await capture(peer.url);
  expect(first.headers).toEqual([...answer.headers, ['Content-Length', '10000']]);
  expect(first.body.equals(answer.body)).toBe(true);
  const second = await startPeer(first);
  expect(await capture(second.url)).toEqual(first);
  await second.stop();
});

test('A case is loaded in several rounds, of which the median counts', async () => {
  const subject = { name: 'one', url: peer.url, pid: peer.pid };
  const [result] = await compare([subject], { rounds: 2, seconds: 1, connections: 4 });
  expect(result?.rounds.length).toBe(2);
  expect(result?.requestsPerSecond).toBeGreaterThan(100);
  expect(result?.cpuPerRequest).toBeGreaterThan(1);
});

test('Results are told as ratios to the first', () => {
  const base = { name: 'bare', rounds: [], requestsPerSecond: 1000, cpuPerRequest: 50, p50: 1, p99: 2 };
  const table = ratioTable([base, { ...base, name: 'page', requestsPerSecond: 250, cpuPerRequest: 275 }]);
  expect(table.split('\n').slice(2)).toEqual([
    '| bare | 1.00 | 1.00 | 1000 | 50 | 1.0 | 2.0 |',
    '| page | 0.25 | 5.50 | 250 | 275 | 1.0 | 2.0 |',
  ]);
});

test('A case that answers another status is no measurement', async () => {
  const subject = { name: 'missing', url: peer.url, pid: peer.pid, status: 304 };
  await expect(compare([subject], { rounds: 1, seconds: 0.1, connections: 1 })).rejects.toThrow(
    /missing: .* should return 304; \d+ times 200/,
  );
});

test('CPU and memory of a process are read', () => {
  const cpuBefore = cpuTime(process.pid);
  const start = process.cpuUsage();
  while (process.cpuUsage(start).user < 100_000) Math.sqrt(cpuBefore);
  expect(cpuTime(process.pid) - cpuBefore).toBeGreaterThan(50_000);
  expect(residentMemory(process.pid)).toBeGreaterThan(10_000_000);
});

test('A stall and a failure are seen by whoever keeps asking', async () => {
  const pausedPeer = await startPeer(answer);
  const watched = watchGaps(pausedPeer.url);
  await new Promise((resolve) => setTimeout(resolve, 100));
  process.kill(pausedPeer.pid, 'SIGSTOP');
  await new Promise((resolve) => setTimeout(resolve, 200));
  process.kill(pausedPeer.pid, 'SIGCONT');
  await new Promise((resolve) => setTimeout(resolve, 50));
  await pausedPeer.stop();
  await new Promise((resolve) => setTimeout(resolve, 50));
  const { requests, failures, longest } = await watched.stop();
  expect(requests).toBeGreaterThan(10);
  expect(longest).toBeGreaterThan(150);
  expect(failures.join()).toContain('ECONNREFUSED');
});

test('The command line says how long to measure', () => {
  expect(loadOptions(['--rounds', '3', '--seconds=2'])).toEqual({ rounds: 3, seconds: 2 });
});

test('The median of an even number is the mean of the two in the middle', () => {
  expect([median([3, 1, 2]), median([4, 1, 3, 2])]).toEqual([2, 2.5]);
});
