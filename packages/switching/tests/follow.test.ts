import { jest } from '@jest/globals';
import { createLog } from '../../../core/base/log.ts';
import { createFollower, type NewerCode } from '../../../core/kernel/follow.ts';
import { createGenerationHolder } from '../../../core/kernel/generation-holder.ts';
import type { GenerationRecord } from '../../../core/kernel/storage.ts';
import { createTestDatabase, eachDatabase, type TestDatabase } from '../../../tools/testing/databases.ts';
import { until } from '../../../tools/testing/until.ts';
import { openDatabase } from '../../db/open.ts';
import type { Database } from '../../db/types.ts';
import { addGeneration } from '../generation-store.ts';
import type { InstallHost } from '../host.ts';
import { DatabaseAddonStorage } from '../storage.ts';
import { tables } from '../tables.ts';

const silent = createLog('silent');
const record = (number: number, version = '1.0.0'): GenerationRecord => ({
  number,
  addons: { base: version },
  data: { texts: ['en_US'], orm: [] },
});

eachDatabase('A node', (dialect) => {
  let made: TestDatabase;
  let one: Database;
  let other: Database;

  beforeEach(async () => {
    made = await createTestDatabase(dialect);
    one = await openDatabase({ url: made.url, log: silent, patience: 20 });
    other = await openDatabase({ url: made.url, log: silent, patience: 20 });
    const { steps } = one.schema.plan(tables, []);
    await one.write((transaction) => one.schema.apply(transaction, steps));
  });
  afterEach(async () => {
    await Promise.all([one.close(), other.close()]);
    await made.drop();
  });

  const add = (database: Database, added: GenerationRecord): Promise<void> =>
    database.write((transaction) => addGeneration(database, transaction, added, 'test'));
  function node(database: Database, problems: { addon: string; message: string }[] = [], newerCode?: NewerCode) {
    const holder = createGenerationHolder<{ number: number }>({ dispose: async () => {}, log: silent });
    const changed: string[] = [];
    let outdated = 0;
    const follower = createFollower({
      storage: new DatabaseAddonStorage({ database } as InstallHost),
      log: silent,
      holder,
      build: async ({ number }) => (problems.length > 0 ? { problems } : { generation: { number }, problems }),
      missing: ({ addons }) =>
        Object.entries(addons)
          .filter(([, version]) => version !== '1.0.0')
          .map(([addon, version]) => ({ addon, version, loaded: '1.0.0' })),
      changed: async () => changed,
      newerCode: newerCode && (async () => newerCode),
      onOutdated: () => {
        outdated += 1;
      },
      everyMs: 3_600_000,
    });
    return { holder, follower, changed, outdated: () => outdated };
  }

  test('follows to a generation that another one made as soon as it hears of it', async () => {
    await add(one, record(1));
    const { holder, follower } = node(other);
    await follower.check();
    expect(holder.current.number).toBe(1);
    follower.start();
    await add(one, record(2));
    await until(() => holder.current.number === 2);
    await follower.stop();
  });

  test('stays where it is, and says why, when it has not loaded the active version', async () => {
    await add(one, record(1));
    const { holder, follower, outdated } = node(one);
    await follower.check();
    await add(other, record(2, '2.0.0'));
    await follower.check();
    expect(holder.current.number).toBe(1);
    expect(follower.unready).toEqual([
      'base: version 2.0.0 is enabled, and this process has loaded 1.0.0. Put the newer code on this machine and start the server again.',
    ]);
    expect(outdated()).toBe(1);
    await add(other, record(3));
    await follower.check();
    expect({ number: holder.current.number, unready: follower.unready }).toEqual({ number: 3, unready: [] });
  });

  test.each([
    [true, 'A fresh process takes over as soon as it can be started; its problems are in the log.'],
    [false, 'Start the server again.'],
  ])('says that newer code is on this machine already (it is replaced by itself: %s)', async (isReplaced, remedy) => {
    await add(one, record(1));
    const { follower } = node(one, [], { addons: new Set(['base']), isReplaced });
    await follower.check();
    await add(other, record(2, '2.0.0'));
    await follower.check();
    expect(follower.unready).toEqual([
      `base: version 2.0.0 is enabled, and this process has loaded 1.0.0; newer code is on this machine. ${remedy}`,
    ]);
  });

  test('leaves a generation that was made of newer files to a fresh process', async () => {
    await add(one, record(1));
    const { holder, follower, changed, outdated } = node(one);
    await follower.check();
    changed.push('base');
    await follower.check();
    expect([outdated(), follower.unready]).toEqual([0, []]);
    await add(other, record(2));
    await follower.check();
    expect([holder.current.number, outdated(), follower.unready]).toEqual([
      1,
      1,
      [expect.stringMatching(/^base: its files on this machine are newer than what this process has loaded\./)],
    ]);
  });

  test('asks for a fresh process in pauses that grow, and at once when something has changed', async () => {
    await add(one, record(1));
    let stamp = 1;
    let times = 0;
    const follower = createFollower({
      storage: new DatabaseAddonStorage({ database: one } as InstallHost),
      log: silent,
      holder: createGenerationHolder<{ number: number }>({ dispose: async () => {}, log: silent }),
      build: async ({ number }) => ({ generation: { number }, problems: [] }),
      missing: () => [{ addon: 'base', version: '2.0.0', loaded: '1.0.0' }],
      codeStamp: async () => stamp,
      onOutdated: () => {
        times += 1;
      },
      everyMs: 1000,
    });
    const clock = jest.spyOn(performance, 'now');
    const timesBy = async (seconds: number): Promise<number> => {
      for (let second = 0; second < seconds; second += 1) {
        clock.mockReturnValue(performance.now() + 1000);
        await follower.check();
      }
      return times;
    };
    clock.mockReturnValue(0);
    await follower.check();
    // After 1, 3, 7, 15 and 31 seconds, and so on.
    expect([times, await timesBy(1), await timesBy(2), await timesBy(3), await timesBy(24)]).toEqual([1, 2, 3, 3, 5]);
    expect(await timesBy(1)).toBe(6);
    // Not less often than every five minutes.
    const before = await timesBy(3600);
    expect((await timesBy(600)) - before).toBe(2);
    stamp = 2;
    expect((await timesBy(1)) - before).toBe(3);
    clock.mockRestore();
  });

  test('stays where it is, and says why, when it cannot build the newest', async () => {
    const problems: { addon: string; message: string }[] = [];
    await add(one, record(1));
    const { holder, follower } = node(one, problems);
    await follower.check();
    problems.push({ addon: 'forum', message: 'is broken here.' });
    await add(other, record(2));
    await follower.check();
    expect({ number: holder.current.number, unready: follower.unready }).toEqual({
      number: 1,
      unready: ['forum: is broken here.'],
    });
  });

  test('does not follow while it makes a switch itself', async () => {
    await add(one, record(1));
    const { holder, follower } = node(one);
    await follower.check();
    follower.start();
    await follower.exclusively(async () => {
      await add(one, record(2));
      await new Promise((resolve) => setTimeout(resolve, 50));
      holder.swap({ number: 2 });
    });
    const own = holder.current;
    await follower.check();
    expect(holder.current).toBe(own);
    await follower.stop();
  });

  test('is refused a number that somebody else took', async () => {
    await add(one, record(1));
    await expect(add(other, record(1))).rejects.toThrow(/Someone else changed/);
    await expect(add(other, record(3))).rejects.toThrow(/Someone else changed/);
    const both = await Promise.allSettled([add(one, record(2)), add(other, record(2))]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});
