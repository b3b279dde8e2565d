import { type Clock, install } from '@sinonjs/fake-timers';
import fc from 'fast-check';
import { TooMany, Unavailable } from '../../../core/base/errors.ts';
import { createLog } from '../../../core/base/log.ts';
import { eachDatabase } from '../../../tools/testing/databases.ts';
import { until } from '../../../tools/testing/until.ts';
import { make, type OpenTest, openTest, sql } from '../../db/tests/support.ts';
import type { Database } from '../../db/types.ts';
import { SignInGuard } from '../rate-limits/rate-limit-sign-in.ts';
import { countCalls } from '../rate-limits/rate-limit-window.ts';
import { DatabaseRateLimiter } from '../rate-limits/rate-limiter.ts';
import type { RatedCall, RateVerdict } from '../rate-limits/types.ts';
import { tables } from '../tables.ts';

describe('A sliding window', () => {
  test('never holds more than its limit, and no less than a hundredth of its length allows', () => {
    const steps = fc.array(fc.record({ after: fc.nat(4_000), asked: fc.integer({ min: 1, max: 4 }) }), {
      minLength: 1,
      maxLength: 60,
    });
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 20 }), (calls, limit, seconds) => {
        const window = { calls: limit, seconds };
        const granted: number[] = [];
        const within = (from: number, to: number): number => granted.filter((at) => at > from && at <= to).length;
        let text = '';
        let now = 1_700_000_000_123;
        for (const { after, asked } of calls) {
          now += after;
          const free = limit - within(now - seconds * 1_010, now);
          const count = countCalls(text, window, asked, now);
          text = count.text;
          expect(count.granted).toBeGreaterThanOrEqual(Math.min(asked, free));
          for (let one = 0; one < count.granted; one += 1) granted.push(now);
          expect(within(now - seconds * 1_000, now)).toBeLessThanOrEqual(limit);
          if (count.waitMs > 0) {
            expect(countCalls(text, window, 1, now + count.waitMs - 1).granted).toBe(0);
          }
          expect(countCalls(text, window, 1, now + count.waitMs).granted).toBe(1);
        }
      }),
    );
  });

  test('stays short however many calls it counts', () => {
    let text = '';
    for (let now = 0; now < 60_000; now += 50) text = countCalls(text, { calls: 100_000, seconds: 60 }, 7, now).text;
    expect(text.split(',').length).toBeLessThanOrEqual(101);
  });
});

describe('After the clock was ahead', () => {
  const day = 86_400_000;
  const now = 1_700_000_000_000;

  test.each([day, 365 * day])('calls counted %i ms ahead do not count', (ahead) => {
    const window = { calls: 5, seconds: 60 };
    const { text } = countCalls('', window, 5, now + ahead);
    expect(countCalls(text, window, 1, now)).toMatchObject({ granted: 1, waitMs: 0 });
  });

  test('calls of a node a little ahead still count, in order', () => {
    const window = { calls: 2, seconds: 60 };
    const { text } = countCalls('', window, 1, now + 5_000);
    const second = countCalls(text, window, 1, now);
    expect(second.granted).toBe(1);
    expect(countCalls(second.text, window, 1, now).granted).toBe(0);
  });
});

eachDatabase('A rate limit', (dialect) => {
  let opened: OpenTest;
  let other: Database;
  let now = Date.now();
  const limiter = (database = opened.database): DatabaseRateLimiter =>
    new DatabaseRateLimiter({
      database,
      log: createLog('silent'),
      secret: 'a secret of sixteen or more',
      clock: () => now,
    });
  let name = '';
  const call = (about: Partial<RatedCall> = {}): RatedCall => ({
    name,
    key: '203.0.113.9',
    calls: 5,
    seconds: 60,
    ...about,
  });

  beforeAll(async () => {
    opened = await openTest(dialect);
    await make(opened.database, ...tables);
    other = await opened.another();
  });
  beforeEach(() => {
    now = Date.now();
    name = `test ${Math.random()}`;
  });
  afterAll(() => opened.close());

  test('is not refused for a day because the clock was a day ahead for a moment', async () => {
    const one = limiter();
    const real = now;
    now = real + 86_400_000;
    for (let count = 0; count < 5; count += 1) await one.take(call());
    await expect(one.take(call())).rejects.toThrow(TooMany);
    now = real;
    expect(await one.tryTake(call())).toMatchObject({ ok: true });
  });

  test('lets so many calls of one key through, tells when the next one will be, and then lets it through', async () => {
    const limits = limiter();
    for (let calls = 0; calls < 5; calls += 1) await limits.take(call());
    const refusal = await limits.take(call()).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(TooMany);
    const { retryAfter } = refusal as TooMany;
    expect(retryAfter).toBeGreaterThanOrEqual(60);
    expect(retryAfter).toBeLessThanOrEqual(61);
    await limits.take(call({ key: 'somebody else' }));
    await limits.take(call({ name: `${name} b` }));
    now += retryAfter * 1_000;
    await limits.take(call());
  });

  test('counts calls of two nodes that come all at once together', async () => {
    const nodes = [limiter(), limiter(other)];
    const verdicts = await Promise.all(
      Array.from({ length: 60 }, (_, number) => nodes[number % 2]?.tryTake(call({ calls: 7 }))),
    );
    expect(verdicts.filter((verdict) => verdict?.ok)).toHaveLength(7);
    const keys = await Promise.all(
      Array.from({ length: 200 }, (_, number) => nodes[number % 2]?.tryTake(call({ key: `${number % 20}`, calls: 3 }))),
    );
    expect(keys.filter((verdict) => verdict?.ok)).toHaveLength(60);
  });

  test('answers a flood from memory once it refused', async () => {
    const limits = limiter();
    await Promise.all(Array.from({ length: 20 }, () => limits.tryTake(call())));
    const { writes } = opened.database.metrics();
    const verdicts = await Promise.all(Array.from({ length: 1_000 }, () => limits.tryTake(call())));
    expect(verdicts.every(({ ok, retryAfter }) => !ok && retryAfter > 0)).toBe(true);
    expect(opened.database.metrics().writes).toBe(writes);
    now += 61_000;
    expect((await limits.tryTake(call())).ok).toBe(true);
  });

  test('of one process counts without the database, and then sends away like any other', async () => {
    const limits = limiter();
    const { writes } = opened.database.metrics();
    for (let calls = 0; calls < 5; calls += 1) await limits.take(call({ here: true }));
    expect(await limits.tryTake(call({ here: true }))).toMatchObject({ ok: false });
    expect(await limiter(other).tryTake(call({ here: true }))).toMatchObject({ ok: true });
    expect(opened.database.metrics().writes).toBe(writes);
    now += 61_000;
    await limits.take(call({ here: true }));
  });

  test('counts what is asked at the same time in few transactions', async () => {
    const limits = limiter();
    const { writes } = opened.database.metrics();
    await Promise.all(Array.from({ length: 300 }, (_, number) => limits.tryTake(call({ key: `visitor ${number}` }))));
    expect(opened.database.metrics().writes - writes).toBeLessThanOrEqual(3);
  });

  test('keeps no address or login in the database', async () => {
    await limiter().take(call({ key: 'ann@club.example' }));
    expect(JSON.stringify(await sql(opened.database.reader, 'select * from core_rate'))).not.toMatch(
      /ann@|club\.example/,
    );
  });

  test('forgets counters whose windows are over', async () => {
    const limits = limiter();
    now += 3_600_000;
    await limits.sweep();
    await limits.take(call());
    await limits.take(call({ seconds: 1, calls: 1 }));
    now += 2_000;
    expect(await limits.sweep()).toBe(1);
    now += 61_000;
    expect(await limits.sweep()).toBe(1);
    expect(await limits.sweep()).toBe(0);
  });

  test('says so when the database is away', async () => {
    const away: Database = Object.create(opened.database, {
      write: { value: () => Promise.reject(new Unavailable('The database is not available.')) },
    });
    const limits = limiter(away);
    await expect(limits.take(call())).rejects.toThrow(Unavailable);
    await expect(limits.take(call())).rejects.toThrow(Unavailable);
  });

  test('lets 10 tries a minute at an account through, from however many addresses and nodes', async () => {
    const nodes = [limiter(), limiter(other)];
    const attempts = Array.from({ length: 300 }, (_, number) => ({
      account: ` ${name}@Club`,
      address: `127.0.1.${number % 50}`,
    }));
    let decided = 0;
    const waiting = attempts.map(async (attempt, number) => {
      const passed = await nodes[number % 2]?.takeSignIn(attempt).then(
        () => true,
        () => false,
      );
      decided += 1;
      return passed === true;
    });
    // On each node the latest newcomer waits for its turn.
    await until(() => decided >= attempts.length - nodes.length);
    for (const node of nodes) node.close();
    const verdicts = await Promise.all(waiting);
    expect(verdicts.filter(Boolean).length).toBeGreaterThanOrEqual(5);
    expect(verdicts.filter(Boolean).length).toBeLessThanOrEqual(10);
  });

  test('counts wrong passwords only: a try that succeeded is given back', async () => {
    const limits = limiter();
    const attempt = { account: `${name} again`, address: '198.51.100.251' };
    for (let number = 0; number < 20; number++) {
      await limits.takeSignIn(attempt);
      await limits.giveBackSignIn(attempt);
    }
    for (let number = 0; number < 5; number++) await limits.takeSignIn(attempt);
    await expect(limits.takeSignIn(attempt)).rejects.toThrow(TooMany);
    // Right at last, in another process that was asked before: one more is let through everywhere.
    await limits.giveBackSignIn(attempt);
    await limits.takeSignIn(attempt);
    await expect(limits.takeSignIn(attempt)).rejects.toThrow(TooMany);
  });

  test('lets 60 tries a minute of one address through, at however many accounts', async () => {
    const limits = limiter();
    const address = `198.51.100.${Math.floor(Math.random() * 250)}`;
    const verdicts = await Promise.allSettled(
      Array.from({ length: 200 }, (_, number) => limits.takeSignIn({ account: `${name} ${number}`, address })),
    );
    expect(verdicts.filter(({ status }) => status === 'fulfilled')).toHaveLength(60);
  });
});

describe('A sign-in', () => {
  /** A guard over counters in memory, in a time that the test moves. */
  function makeGuard(): { guard: SignInGuard; warnings: object[] } {
    const kept = new Map<string, string>();
    const warnings: object[] = [];
    const tryTake = async (call: RatedCall): Promise<RateVerdict> => {
      const key = `${call.name} ${call.key}`;
      const { granted, waitMs, text } = countCalls(kept.get(key) ?? '', call, 1, Date.now());
      kept.set(key, text);
      return { ok: granted === 1, retryAfter: granted === 1 ? 0 : Math.ceil(waitMs / 1_000) };
    };
    const log = { warn: (details: object) => warnings.push(details) } as unknown as ReturnType<typeof createLog>;
    return { guard: new SignInGuard(tryTake, log), warnings };
  }
  let clock: Clock;
  beforeEach(() => {
    clock = install();
  });
  afterEach(() => clock.uninstall());
  const settled = async <T>(promise: Promise<T>, seconds: number): Promise<T | 'waiting'> => {
    let result: T | 'waiting' = 'waiting';
    void promise.then((value) => {
      result = value;
    });
    await clock.tickAsync(seconds * 1_000);
    return result;
  };

  test('of the owner from a fresh address is let in during and after an attack from fifty others', async () => {
    const { guard, warnings } = makeGuard();
    let effective = 0;
    const attack = async (address: number): Promise<void> => {
      if ((await guard.take({ account: 'ann', address: `127.0.1.${address}` })).ok) effective += 1;
    };
    for (let round = 0; round < 20; round += 1) {
      for (let address = 0; address < 50; address += 1) void attack(address);
      await clock.tickAsync(100);
    }
    expect(effective).toBeLessThanOrEqual(10);
    expect(warnings.length).toBeGreaterThanOrEqual(985);
    expect(JSON.stringify(warnings)).not.toContain('ann');
    const owner = guard.take({ account: 'Ann ', address: '127.0.2.1' });
    expect(await settled(owner, 13)).toEqual({ ok: true, retryAfter: 0 });
  });

  test('is refused at most for a minute to somebody who mistyped', async () => {
    const { guard } = makeGuard();
    const attempt = { account: 'ann', address: '203.0.113.9' };
    for (let times = 0; times < 5; times += 1) expect((await guard.take(attempt)).ok).toBe(true);
    const { ok, retryAfter } = await guard.take(attempt);
    expect(ok).toBe(false);
    expect(retryAfter).toBeLessThanOrEqual(61);
    await clock.tickAsync(61_000);
    expect((await guard.take(attempt)).ok).toBe(true);
  });

  test('never passes ten times in any minute, however the addresses change', async () => {
    const { guard } = makeGuard();
    const passed: number[] = [];
    for (let number = 0; number < 3_000; number += 1) {
      void guard.take({ account: 'ann', address: `10.0.${number >> 8}.${number & 255}` }).then(({ ok }) => {
        if (ok) passed.push(Date.now());
      });
      await clock.tickAsync(97);
    }
    for (const from of passed)
      expect(passed.filter((at) => at >= from && at < from + 60_000).length).toBeLessThanOrEqual(10);
    expect(passed.length).toBeGreaterThan(30);
  });

  test('that waits for its turn is sent away when the site closes', async () => {
    const { guard } = makeGuard();
    for (let address = 0; address < 6; address += 1) await guard.take({ account: 'ann', address: `10.0.0.${address}` });
    const waiting = guard.take({ account: 'ann', address: '10.0.0.9' });
    expect(await settled(waiting, 1)).toBe('waiting');
    guard.close();
    expect(await waiting).toMatchObject({ ok: false });
  });
});
