import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createLog } from '../../../core/base/log.ts';
import { createGenerationHolder } from '../../../core/kernel/generation-holder.ts';
import { createTestDatabase, eachDatabase, type TestDatabase } from '../../../tools/testing/databases.ts';
import { until } from '../../../tools/testing/until.ts';
import { openDatabase } from '../../db/open.ts';
import { rowsOf } from '../../db/run.ts';
import type { Database } from '../../db/types.ts';
import { createLeases, type HeldLease, leaseHolder } from '../lease.ts';
import { machine } from '../machine.ts';
import { createNodes } from '../nodes.ts';
import { tables } from '../tables.ts';

const silent = createLog('silent');

eachDatabase('Several processes', (dialect) => {
  let made: TestDatabase;
  let one: Database;
  let other: Database;

  // Each begins with nothing: what one that failed left there would fail the next.
  beforeEach(async () => {
    made = await createTestDatabase(dialect);
    [one, other] = [
      await openDatabase({ url: made.url, log: silent }),
      await openDatabase({ url: made.url, log: silent }),
    ];
    const { steps } = one.schema.plan(tables, []);
    await one.write((transaction) => one.schema.apply(transaction, steps));
  });
  afterEach(async () => {
    await Promise.all([one.close(), other.close()]);
    await made.drop();
  });

  test('hold a lease one at a time; the next holder has a higher token', async () => {
    const [mine, yours] = [createLeases(one, 'one', silent), createLeases(other, 'other', silent)];
    const held = await mine.acquire('switch', { note: 'enable forum' });
    expect(await yours.acquire('switch')).toBeNull();
    expect(await yours.holder('switch')).toMatchObject({
      holder: 'one',
      note: 'enable forum',
      since: expect.any(Date),
    });
    await held?.release();
    expect(await mine.holder('switch')).toBeNull();
    const next = await yours.acquire('switch');
    expect(next?.token).toBeGreaterThan(held?.token ?? Number.POSITIVE_INFINITY);
    expect(await mine.holder('switch')).toMatchObject({ holder: 'other', note: null });
    await next?.release();
  });

  test('ask for a lease at the same moment, and one gets it', async () => {
    const leases = [one, other, one, other].map((database, index) => createLeases(database, `p${index}`, silent));
    const held = await Promise.all(leases.map((lease) => lease.acquire('race')));
    expect(held.filter(Boolean)).toHaveLength(1);
    await Promise.all(held.map((lease) => lease?.release()));
  });

  /** As if the process that has the lease had been stopped for longer than that: another one takes it over. */
  async function stopAndTake(name: string): Promise<HeldLease> {
    const ended = one
      .knex('core_lease')
      .where({ name })
      .update({ until: one.codec.encode('datetime', new Date(0)) });
    for (;;) {
      await one.write((transaction) => rowsOf(transaction, ended));
      const taken = await createLeases(other, 'other', silent).acquire(name);
      // The first one may have renewed it just now.
      if (taken) return taken;
    }
  }

  test('keep a lease while they live, and lose it when they are frozen', async () => {
    // A second try begins with a lease of its own; and three seconds, since a busy machine may stop this process for one.
    const name = `kept ${randomUUID()}`;
    const held = await createLeases(one, 'one', silent).acquire(name, { ttlMs: 3000 });
    let taken: HeldLease | undefined;
    try {
      const leaseEnd = async (): Promise<unknown> => {
        const query = one.knex('core_lease').where({ name }).select('until');
        const { rows } = await one.reader.query(query.toSQL().toNative());
        return rows[0]?.until;
      };
      const first = String(await leaseEnd());
      await until(async () => String(await leaseEnd()) !== first);
      expect(await createLeases(other, 'other', silent).acquire(name)).toBeNull();
      expect(held?.signal.aborted).toBe(false);
      taken = await stopAndTake(name);
      await expect(one.write((transaction) => held?.assert(transaction) ?? Promise.resolve())).rejects.toThrow(
        /taken over/,
      );
      await expect(other.write((transaction) => taken?.assert(transaction) ?? Promise.resolve())).resolves.toBe(
        undefined,
      );
      await until(() => held?.signal.aborted === true);
    } finally {
      await taken?.release();
      await held?.release();
    }
  });

  test('take over at once what a process of this machine held that was killed', async () => {
    const held = await createLeases(other, 'killed', silent).acquire('kill');
    expect(await createLeases(one, 'next', silent).acquire('kill')).toBeNull();
    const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
    await once(child, 'exit');
    await one.write((transaction) =>
      rowsOf(transaction, one.knex('core_lease').where({ name: 'kill' }).update({ pid: child.pid })),
    );
    expect(await leaseHolder(one, 'kill')).toBeNull();
    const next = await createLeases(one, 'next', silent).acquire('kill');
    expect(next?.token).toBe((held?.token ?? 0) + 1);
    await expect(one.write(async (transaction) => held?.assert(transaction))).rejects.toThrow('taken over');
    await next?.release();
  });

  test('see each other while they live, and wait for those that are behind', async () => {
    const make = (database: Database, node: string) => {
      const holder = createGenerationHolder<{ number: number }>({ dispose: async () => {}, log: silent });
      holder.swap({ number: 1 });
      return {
        holder,
        nodes: createNodes({ database, log: silent, node, holder, versions: () => ({ base: '1.0.0' }) }),
      };
    };
    const [a, b] = [make(one, 'a'), make(other, 'b')];
    await a.nodes.start();
    await b.nodes.start();
    expect(await a.nodes.live()).toMatchObject([
      { node: 'a', generation: 1, oldest: 1, versions: { base: '1.0.0' }, draining: false, pid: process.pid },
      { node: 'b', generation: 1, oldest: 1 },
    ]);
    const stay = b.holder.acquire();
    a.holder.swap({ number: 2 });
    b.holder.swap({ number: 2 });
    await expect(a.nodes.acknowledged(2, { timeoutMs: 200 })).rejects.toThrow(/still running requests/);
    stay.release();
    await a.nodes.acknowledged(2);
    await b.nodes.report({ draining: true });
    expect((await a.nodes.live()).map(({ draining }) => draining)).toEqual([false, true]);
    await b.nodes.stop();
    expect(await a.nodes.live()).toHaveLength(1);
    expect([a.nodes.healthy, b.nodes.healthy]).toEqual([true, true]);
    await a.nodes.stop();
  });

  test('forget one that died without a word when its lease ends', async () => {
    const holder = createGenerationHolder<{ number: number }>({ dispose: async () => {}, log: silent });
    holder.swap({ number: 1 });
    const dead = createNodes({ database: other, log: silent, node: 'dead', holder, versions: () => ({}) });
    await dead.start();
    const watcher = createNodes({ database: one, log: silent, node: 'watcher', holder, versions: () => ({}) });
    expect(await watcher.live()).toHaveLength(1);
    await dead.stop();
    // Its row comes back as a killed process leaves it.
    const end = Date.now() + 300;
    const { knex, codec } = one;
    const row = {
      instance: 'x',
      node: 'dead',
      host: 'h',
      pid: 1,
      started: codec.encode('datetime', new Date()),
      generation: 1,
      oldest: 1,
      versions: '{}',
      draining: codec.encode('boolean', false),
      lease_until: codec.encode('datetime', new Date(end)),
    };
    await one.write((transaction) => transaction.query(knex('core_node').insert(row).toSQL().toNative()));
    await watcher.acknowledged(2);
    expect(Date.now()).toBeGreaterThanOrEqual(end);
    // One of this machine does not even count that long.
    const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
    await once(child, 'exit');
    const killed = {
      ...row,
      instance: 'y',
      pid: child.pid ?? 0,
      machine,
      lease_until: codec.encode('datetime', new Date(Date.now() + 60_000)),
    };
    await one.write((transaction) => transaction.query(knex('core_node').insert(killed).toSQL().toNative()));
    expect((await watcher.live()).map(({ node }) => node)).toEqual([]);
  });
});
