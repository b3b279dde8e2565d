import { z } from 'zod';
import { createLog } from '../../../core/base/log.ts';
import type { Ctx } from '../../../core/context/context.ts';
import { createTestDatabase, eachDatabase, type TestDatabase } from '../../../tools/testing/databases.ts';
import { idleBreakers } from '../../../tools/testing/idle-breakers.ts';
import { until } from '../../../tools/testing/until.ts';
import { openDatabase } from '../../db/index.ts';
import type { Database } from '../../db/types.ts';
import { type JobDefinition, job } from '../define.ts';
import { createJobQueue } from '../queue.ts';
import { tables } from '../tables.ts';
import { type JobHost, JobWorker } from '../worker.ts';

const log = createLog('silent');
const breakers = idleBreakers();

eachDatabase('The job queue', (dialect) => {
  let kept: TestDatabase;
  let database: Database;
  let jobs: JobDefinition[];

  beforeEach(async () => {
    kept = await createTestDatabase(dialect);
    database = await openDatabase({ url: kept.url, log, patience: 20 });
    await database.write((tx) => database.schema.apply(tx, database.schema.plan(tables, []).steps));
    jobs = [];
  });
  afterEach(async () => {
    await database.close();
    await kept.drop();
  });

  const host: JobHost = {
    lease: () => ({
      jobs: new Map(jobs.map((one) => [one.name, one])),
      read: (work) => work({} as Ctx),
      write: (work) => database.write(() => work({} as Ctx)),
      release: () => {},
    }),
  };
  const worker = (nodeId = 'one', of: Database = database) =>
    new JobWorker({ breakers, database: of, host, log, nodeId });
  const enqueue = (definition: JobDefinition, input: unknown, options?: { at?: Date; key?: string }) =>
    database.write(async (transaction) => {
      const ctx = { now: () => new Date(), get: () => ({ transaction, database }) } as unknown as Ctx;
      await createJobQueue(ctx).enqueue(definition, input, options);
    });
  const rows = async () =>
    (await database.reader.query(database.knex('core_job').select('*').orderBy('id').toSQL().toNative())).rows;
  const define = (
    name: string,
    run: JobDefinition['run'],
    more: Partial<{ attempts: number; lease: number; cron: string }> = {},
  ) => {
    const made = job(name, { input: z.unknown(), run, ...more }) as JobDefinition;
    jobs.push(made);
    return made;
  };

  it('runs what was queued, with its input, and forgets it', async () => {
    const seen: unknown[] = [];
    const echo = define('fx.echo', async ({ input }) => void seen.push(input));
    await enqueue(echo, { a: 1 });
    expect(await worker().drain()).toBe(1);
    expect(seen).toEqual([{ a: 1 }]);
    expect(await rows()).toEqual([]);
  });

  it('keeps one waiting run per key', async () => {
    const once = define('fx.once', async () => {});
    await enqueue(once, 1, { key: 'k' });
    await enqueue(once, 2, { key: 'k' });
    await enqueue(once, 3, { key: 'other' });
    expect(await rows()).toHaveLength(2);
  });

  it('waits until it is time', async () => {
    const later = define('fx.later', async () => {});
    await enqueue(later, null, { at: new Date(Date.now() + 60_000) });
    expect(await worker().drain()).toBe(0);
  });

  it('tries again later, and ends as a dead letter with the reason', async () => {
    let tries = 0;
    const failing = define(
      'fx.failing',
      async () => {
        tries += 1;
        throw new Error('no luck');
      },
      { attempts: 2 },
    );
    await enqueue(failing, null);
    await worker().drain();
    expect(await rows()).toMatchObject([{ state: 'waiting', error: 'no luck' }]);
    await database.write((tx) =>
      tx.query(
        database
          .knex('core_job')
          .update({ run_at: database.codec.encode('datetime', new Date(0)) })
          .toSQL()
          .toNative(),
      ),
    );
    await worker().drain();
    expect(tries).toBe(2);
    expect(await rows()).toMatchObject([{ state: 'dead' }]);
  });

  it('leaves jobs alone whose addon is not enabled', async () => {
    const gone = define('fx.gone', async () => {});
    await enqueue(gone, null);
    jobs = [];
    expect(await worker().drain()).toBe(0);
    expect(await rows()).toHaveLength(1);
  });

  it('takes over the work of a node that died, when its lease has ended', async () => {
    const runs: string[] = [];
    const taken = define('fx.taken', async ({ attempt }) => void runs.push(`try ${attempt}`));
    await enqueue(taken, null);
    const long = database.codec.encode('datetime', new Date(Date.now() - 1_000));
    await database.write((tx) =>
      tx.query(
        database
          .knex('core_job')
          .update({ state: 'running', owner: 'dead', attempt: 1, lease_until: long })
          .toSQL()
          .toNative(),
      ),
    );
    await worker('two').drain();
    expect(runs).toEqual(['try 2']);
    expect(await rows()).toEqual([]);
  });

  it('runs each job once, however many nodes take from the queue', async () => {
    const other = await openDatabase({ url: kept.url, log, patience: 20 });
    try {
      const seen: unknown[] = [];
      const each = define('fx.each', async ({ input }) => void seen.push(input));
      for (let n = 0; n < 30; n++) await enqueue(each, n);
      await Promise.all([worker('one').drain(), worker('two', other).drain()]);
      expect(seen.toSorted((a, b) => Number(a) - Number(b))).toEqual(Array.from({ length: 30 }, (_, n) => n));
    } finally {
      await other.close();
    }
  });

  it('queues a timetable once a tick, over two nodes', async () => {
    const other = await openDatabase({ url: kept.url, log, patience: 20 });
    let ran = 0;
    define(
      'fx.timed',
      async () => {
        ran += 1;
      },
      { cron: '0 0 1 1 *' },
    );
    const [one, two] = [worker('one'), worker('two', other)];
    try {
      await database.write((tx) =>
        tx.query(
          database
            .knex('core_cron')
            .insert({ name: 'fx.timed', next_at: database.codec.encode('datetime', new Date(Date.now() - 1_000)) })
            .toSQL()
            .toNative(),
        ),
      );
      one.start();
      two.start();
      await until(() => ran > 0);
    } finally {
      await Promise.all([one.stop(1_000), two.stop(1_000)]);
      expect([ran, await rows()]).toEqual([1, []]);
      await other.close();
    }
  });

  describe('after the clock was a day ahead', () => {
    const at = (ms: number) => database.codec.encode('datetime', new Date(Date.now() + ms));
    const day = 86_400_000;
    const insert = (table: string, row: Record<string, unknown>) =>
      database.write((tx) => tx.query(database.knex(table).insert(row).toSQL().toNative()));
    const runUntil = async (isDone: () => boolean, repair?: JobDefinition<Record<string, never>>) => {
      const one = new JobWorker({
        breakers,
        database,
        host,
        log,
        nodeId: 'one',
        ...(repair ? { clockRepair: repair } : {}),
      });
      one.start();
      await until(isDone);
      await one.stop(1_000);
    };

    it('moves the timetable back, and queues the repair once', async () => {
      const repairs: number[] = [];
      const repair = define('fx.repair', async () => void repairs.push(1)) as JobDefinition<Record<string, never>>;
      define('fx.often', async () => {}, { cron: '*/5 * * * *' });
      await insert('core_cron', { name: 'fx.often', next_at: at(day) });
      await runUntil(() => repairs.length > 0, repair);
      const { rows: timetable } = await database.reader.query(database.knex('core_cron').toSQL().toNative());
      const next = database.codec.decode('datetime', timetable[0]?.next_at) as Date;
      expect(next.getTime() - Date.now()).toBeLessThanOrEqual(5 * 60_000);
      expect(repairs).toEqual([1]);
    });

    it('leaves a timetable that a node a few seconds ahead has moved on', async () => {
      define('fx.often', async () => {}, { cron: '* * * * *' });
      const next = new Date(Math.ceil(Date.now() / 60_000) * 60_000 + 60_000);
      await insert('core_cron', { name: 'fx.often', next_at: database.codec.encode('datetime', next) });
      let ran = 0;
      await enqueue(
        define('fx.at_once', async () => {
          ran += 1;
        }),
        null,
      );
      await runUntil(() => ran > 0);
      const { rows: timetable } = await database.reader.query(database.knex('core_cron').toSQL().toNative());
      expect(database.codec.decode('datetime', timetable[0]?.next_at)).toEqual(next);
    });

    it('runs what was queued then, takes over what was claimed, tries again what failed; a later job stays later', async () => {
      const ran: unknown[] = [];
      const echo = define('fx.echo', async ({ input }) => void ran.push(input));
      define('fx.often', async () => {}, { cron: '*/5 * * * *' });
      await insert('core_cron', { name: 'fx.often', next_at: at(day) });
      const row = { name: 'fx.echo', state: 'waiting', attempt: 0, create_date: at(day) };
      const input = (value: string) => database.codec.encode('json', value);
      await insert('core_job', { ...row, input: input('queued'), run_at: at(day) });
      await insert('core_job', {
        ...row,
        input: input('failed'),
        run_at: at(day),
        attempt: 1,
        create_date: at(-1_000),
      });
      await insert('core_job', { ...row, input: input('later'), run_at: at(day + 3_600_000) });
      await enqueue(echo, 'in a week', { at: new Date(Date.now() + 7 * day) });
      await insert('core_job', {
        ...row,
        input: input('claimed'),
        state: 'running',
        owner: 'gone',
        attempt: 1,
        run_at: at(-1_000),
        create_date: at(-1_000),
        lease_until: at(day),
      });
      await runUntil(() => ran.length >= 2);
      expect(ran.toSorted()).toEqual(['failed', 'queued']);
      const waiting = await rows();
      const ahead = (name: string) => {
        const found = waiting.find((one) => database.codec.decode('json', one.input) === name);
        const until = found?.state === 'running' ? found.lease_until : found?.run_at;
        return Math.round(((database.codec.decode('datetime', until) as Date).getTime() - Date.now()) / 1_000);
      };
      expect(ahead('later')).toBeGreaterThan(3_590);
      expect(ahead('later')).toBeLessThanOrEqual(3_600);
      expect(ahead('claimed')).toBeLessThanOrEqual(9);
      expect(ahead('in a week')).toBeGreaterThan(6 * 86_400);
    });
  });

  // A look leases twice: for timetables and for the queue.
  it.each([
    ['while the queue is read', 1],
    ['after it was read', 2],
  ])('starts at once when something is queued %s, not at the next look', async (_when, leases) => {
    const began = Promise.withResolvers<void>();
    const quick = define('fx.quick', async () => began.resolve());
    const looking = Promise.withResolvers<void>();
    let count = 0;
    const release = (): void => {
      count += 1;
      if (count === leases) looking.resolve();
    };
    const lease = () => ({ ...host.lease(), release });
    const one = new JobWorker({ breakers, database, host: { lease }, log, nodeId: 'one', pollMs: 3_600_000 });
    one.start();
    await looking.promise;
    await enqueue(quick, null);
    await began.promise;
    await one.stop(1_000);
  });

  it('refuses input that does not fit, and a context that does not write', async () => {
    const strict = job('fx.strict', { input: z.object({ id: z.number() }), run: async () => {} });
    await expect(enqueue(strict as JobDefinition, { id: 'x' })).rejects.toThrow('fx.strict');
    const ctx = { now: () => new Date(), get: () => ({ transaction: null, database }) } as unknown as Ctx;
    await expect(createJobQueue(ctx).enqueue(strict, { id: 1 })).rejects.toThrow('only where something is written');
  });
});
