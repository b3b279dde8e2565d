import { Unavailable } from '../../../core/base/errors.ts';
import { holdIntervals } from '../../../tools/testing/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../../tools/testing/databases.ts';
import { openDatabase } from '../open.ts';
import type { Database } from '../types.ts';
import { startNetwork, type TestNetwork } from './network.ts';
import { createKeptLog, make, seats, sleep, sql, until } from './support.ts';

describe('When PostgreSQL goes away', () => {
  let made: TestDatabase;
  let network: TestNetwork;
  let database: Database;
  const log = createKeptLog();
  const read = () => sql(database.reader, 'select 1 as one');
  const add = (name: string) =>
    database.write((transaction) => sql(transaction, 'insert into seat (name) values (?)', name));
  const names = async () => (await sql(database.reader, 'select name from seat order by id')).map((row) => row.name);

  beforeEach(async () => {
    made = await createTestDatabase('postgres');
    network = await startNetwork(made.url);
    database = await openDatabase({ url: network.url, log });
    await make(database, seats);
  });
  afterEach(async () => {
    network.restore();
    network.thaw();
    await database.close();
    await network.close();
    await made.drop();
  });

  test('calls fail with 503 only, kept pages are not served, and all is well again after it came back', async () => {
    await Promise.all(Array.from({ length: 8 }, read));
    const connections = network.open;
    const before = database.changes.version('seat');
    const errors: unknown[] = [];
    let running = true;
    const traffic = (async () => {
      for (let i = 0; running; i += 1) {
        await Promise.allSettled([read(), add(`n${i}`), database.snapshot(async () => {})]).then((results) => {
          errors.push(...results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : [])));
        });
        await sleep(5);
      }
    })();
    network.cut();
    await until(() => !database.changes.healthy);
    expect(await database.health()).toBe(false);
    await sleep(500);
    network.restore();
    await until(() => database.changes.healthy);
    running = false;
    await traffic;
    expect(errors.length).toBeGreaterThan(0);
    expect(errors.filter((error) => !(error instanceof Unavailable))).toEqual([]);
    expect(await database.health()).toBe(true);
    expect(database.changes.version('seat')).toBeGreaterThan(before);
    await Promise.all(Array.from({ length: 20 }, read));
    expect(network.open).toBeLessThanOrEqual(connections + 4);
  });

  test('nothing that was acknowledged is lost', async () => {
    const acknowledged: string[] = [];
    for (let i = 0; i < 30; i += 1) {
      if (i % 10 === 4) network.cut();
      if (i % 10 === 6) network.restore();
      await add(`n${i}`).then(
        () => acknowledged.push(`n${i}`),
        () => {},
      );
    }
    await until(() => database.changes.healthy);
    expect(acknowledged.length).toBeGreaterThan(20);
    expect(await names()).toEqual(expect.arrayContaining(acknowledged));
  });

  test('a write whose connection is lost before its commit is made again', async () => {
    let tries = 0;
    await database.write(async (transaction) => {
      tries += 1;
      await sql(transaction, "insert into seat (name) values ('once')");
      if (tries === 1) {
        network.cut();
        network.restore();
        await sleep(20);
      }
      await sql(transaction, 'select 1');
    });
    expect(tries).toBe(2);
    expect(await names()).toEqual(['once']);
  });

  test('a write whose connection is lost while it commits is not made again, and says that nobody knows', async () => {
    let tries = 0;
    const losing = database.write(async (transaction) => {
      tries += 1;
      await sql(transaction, "insert into seat (name) values ('perhaps')");
      network.onSend = (data) => data.includes('commit');
    });
    await expect(losing).rejects.toMatchObject({ status: 503, code: 'core.commit_unknown' });
    network.onSend = null;
    expect(tries).toBe(1);
  });

  test('sessions that the server ends do not disturb anybody', async () => {
    await Promise.all(Array.from({ length: 8 }, read));
    const other = await openDatabase({ url: made.url, log });
    await other.write((transaction) =>
      sql(
        transaction,
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      ),
    );
    await sleep(20);
    await Promise.all([...Array.from({ length: 8 }, read), add('a')]);
    await until(() => database.changes.healthy);
    await other.close();
  });

  test('a silent network is noticed within a quarter of a second, and a change made meanwhile is not missed', async () => {
    using intervals = holdIntervals();
    const other = await openDatabase({ url: made.url, log });
    const { changes, close } = await openDatabase({ url: network.url, log });
    const before = changes.version('seat');
    network.freeze();
    // A beat that isn't answered, and 250 ms without an answer.
    intervals.pass(400);
    await until(() => !changes.healthy);
    await other.write(async (transaction) => transaction.touch('seat'));
    expect(changes.version('seat')).toBe(before);
    network.thaw();
    await intervals.until(() => changes.healthy);
    expect(changes.version('seat')).toBeGreaterThan(before);
    await Promise.all([other.close(), close()]);
  });

  test('opening says so', async () => {
    network.cut();
    await expect(openDatabase({ url: network.url, log })).rejects.toMatchObject({
      status: 503,
      code: 'core.database_away',
    });
  });
});
