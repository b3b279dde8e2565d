import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpuTimeOf, SilenceWatch } from '../stuck.ts';

/** A CPU clock that tests can advance. */
function clock() {
  const time = { used: 0 as number | null, add: (ms: number) => (time.used = (time.used ?? 0) + ms) };
  return time;
}

test('A server that gets no processor time on a busy machine is not stuck, however long it is silent', () => {
  const time = clock();
  const watch = new SilenceWatch(() => time.used);
  for (let second = 0; second < 600; second++) {
    time.add(8);
    expect(watch.isStuck).toBe(false);
  }
});

test('A server that uses its time without a sign of life is stuck, until it gives one', () => {
  const time = clock();
  const watch = new SilenceWatch(() => time.used);
  time.add(4_900);
  expect(watch.isStuck).toBe(false);
  time.add(200);
  expect(watch.isStuck).toBe(true);
  watch.heard();
  expect(watch.isStuck).toBe(false);
});

test('Nothing is stuck where the system does not tell the time of a process', () => {
  const watch = new SilenceWatch(() => null);
  expect(watch.isStuck).toBe(false);
});

test('The time of a process counts what it used, not what it waited', async () => {
  const script =
    'const end = process.cpuUsage().user + 200_000; while (process.cpuUsage().user < end); console.log(1); setInterval(() => {}, 1000)';
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    await once(child.stdout, 'data');
    const used = cpuTimeOf(child.pid);
    expect(used).toBeGreaterThanOrEqual(150);
    expect(cpuTimeOf(undefined)).toBeNull();
  } finally {
    child.kill();
  }
});
