import { execFileSync } from 'node:child_process';
import { holdIntervals, hourOfClock, withClock } from '../clock.ts';

const HOUR_MS = 3_600_000;

describe('A clock', () => {
  const clock = withClock();
  test('moves forward in a test', () => {
    const startedAt = Date.now();
    expect(hourOfClock()).toBeNull();
    clock.forward(HOUR_MS);
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(HOUR_MS);
    expect(hourOfClock()).toBe(new Date(startedAt + HOUR_MS).toISOString().slice(0, 13));
  });

  test('is right again after it', () => expect(hourOfClock()).toBeNull());
});

test('Held intervals run when a test lets time pass', async () => {
  using intervals = holdIntervals();
  let count = 0;
  const timer = setInterval(() => {
    count += 1;
  }, 100);
  intervals.pass(250);
  expect([count, performance.now()]).toEqual([2, 250]);
  await intervals.until(() => count === 4);
  expect(performance.now()).toBe(400);
  clearInterval(timer);
});

test('A run with TEST_TIME begins at that moment', () => {
  const date = (shift: number): string[] =>
    execFileSync(
      process.execPath,
      [
        '--import',
        new URL('../jest/shift-time.ts', import.meta.url).href,
        '-p',
        'JSON.stringify([new Date(), new Date(Date.now()), new Date(Date()), new Date(0)].map((date) => date.toISOString()))',
      ],
      { encoding: 'utf8', env: { TEST_TIME_SHIFT: String(shift) } },
    )
      .trim()
      .replaceAll(/[[\]"]/g, '')
      .split(',');
  const [creationTime = '', now = '', text = '', givenTime] = date(1_000 * HOUR_MS);
  const ahead = [creationTime, now, text].map((time) => Math.round((Date.parse(time) - Date.now()) / HOUR_MS));
  expect([...ahead, givenTime]).toEqual([1_000, 1_000, 1_000, '1970-01-01T00:00:00.000Z']);
});
