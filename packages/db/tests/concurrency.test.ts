import { Unavailable } from '../../../core/base/errors.ts';
import { eachDatabase } from '../../../tools/testing/databases.ts';
import type { Database, TableSpec, Transaction } from '../types.ts';
import { make, type OpenTest, openTest, seats, sleep, sql, until } from './support.ts';

const bookings: TableSpec = {
  name: 'booking',
  columns: [
    { name: 'id', kind: 'id' },
    { name: 'seat_id', kind: 'bigint', references: { table: 'seat', onDelete: 'restrict' } },
  ],
  indexes: [],
};

/** PostgreSQL ends a deadlock after a second; in these tests it would last until the write's deadline, and fail. */
const NO_WAY_OUT = `do $$ begin
  execute format('alter database %I set deadlock_timeout = %L', current_database(), '10min');
end $$`;

/** Counts and then books, as a shop does: right only when nobody else books in between. */
async function book(transaction: Transaction, seat: number, room: number): Promise<boolean> {
  await sql(transaction, 'select name from seat');
  await transaction.lock('seat', [seat]);
  const [row] = await sql(transaction, 'select count(*) as n from booking where seat_id = ?', seat);
  if (Number(row?.n) >= room) return false;
  await sql(transaction, 'insert into booking (seat_id) values (?)', seat);
  return true;
}

eachDatabase('Several at once', (dialect) => {
  let test_: OpenTest;
  let database: Database;
  const nodes: Database[] = [];
  beforeAll(async () => {
    test_ = await openTest(dialect);
    if (dialect === 'postgres') await test_.database.write((transaction) => sql(transaction, NO_WAY_OUT));
    database = await test_.another();
    nodes.push(database, await test_.another());
    await make(database, seats, bookings);
    await database.write((transaction) =>
      sql(transaction, "insert into seat (id, name) values (1, 'a'), (2, 'b'), (3, 'c')"),
    );
  });
  afterEach(() => database.write((transaction) => sql(transaction, 'delete from booking')));
  afterAll(() => test_.close());

  test('never book more than there is, on two nodes, and nobody is turned away by the database', async () => {
    for (let round = 0; round < 3; round += 1) {
      const answers = await Promise.all(
        Array.from({ length: 80 }, (_, i) => nodes[i % 2]?.write((transaction) => book(transaction, 1, 20))),
      );
      expect(answers.filter(Boolean)).toHaveLength(20);
      expect(await sql(database.reader, 'select count(*) as n from booking')).toEqual([{ n: 20 }]);
      await database.write((transaction) => sql(transaction, 'delete from booking'));
    }
  });

  test('book two things in opposite order without waiting in a circle', async () => {
    const both = (first: number, second: number) => async (transaction: Transaction) => {
      const got = await book(transaction, first, 15);
      await sleep(1);
      return (await book(transaction, second, 15)) && got;
    };
    await Promise.all(Array.from({ length: 40 }, (_, i) => nodes[i % 2]?.write(i % 3 ? both(2, 3) : both(3, 2))));
    const rows = await sql(
      database.reader,
      'select seat_id, count(*) as n from booking group by seat_id order by seat_id',
    );
    expect(rows).toEqual([
      { seat_id: 2, n: 15 },
      { seat_id: 3, n: 15 },
    ]);
  });

  test('wait for one thing without keeping others from the rest', async () => {
    if (dialect === 'sqlite') return; // There all writes take turns.
    const released = Promise.withResolvers<void>();
    let holding = 0;
    const crowd = Array.from({ length: 30 }, () =>
      database.write(
        async (transaction) => {
          await transaction.lock('seat', [1]);
          holding += 1;
          await released.promise;
        },
        { deadlineMs: 600_000 },
      ),
    );
    await until(() => holding === 1);
    await database.write((transaction) => transaction.lock('seat', [3]));
    expect(holding).toBe(1);
    released.resolve();
    await Promise.all(crowd);
  });

  test('line up before they read, and then do their work once', async () => {
    if (dialect === 'sqlite') return; // There all writes take turns.
    let tries = 0;
    let read = 0;
    let overtaken = 0;
    const released = Promise.withResolvers<void>();
    const next = async (transaction: Transaction) => {
      tries += 1;
      transaction.lineUp('seat', [1]);
      read += 1;
      await sql(transaction, 'select name from seat');
      await transaction.lock('seat', [1]).catch((error: unknown) => {
        overtaken += 1;
        throw error;
      });
      await released.promise;
    };
    const crowd = Array.from({ length: 4 }, () => database.write(next));
    while (overtaken < 3) await sleep(1);
    // They begin again, and wait for the first.
    await sleep(50);
    tries = 0;
    read = 0;
    const late = Array.from({ length: 10 }, () => database.write(next));
    while (tries < late.length) await sleep(1);
    released.resolve();
    await Promise.all([...crowd, ...late]);
    expect(read).toBe(13);
    // Nobody waits for those who have gone.
    read = 0;
    await database.write(next);
    expect(read).toBe(1);
  });

  test('count up without losing one', async () => {
    await database.write((transaction) => sql(transaction, 'update seat set taken = 0'));
    const up = async (transaction: Transaction) => {
      await transaction.lock('seat', [1, 2]);
      const [row] = await sql(transaction, 'select taken from seat where id = 1');
      await sql(transaction, 'update seat set taken = ? where id = 1', Number(row?.taken) + 1);
    };
    await Promise.all(Array.from({ length: 60 }, (_, i) => nodes[i % 2]?.write(up)));
    expect(await sql(database.reader, 'select taken from seat where id = 1')).toEqual([{ taken: 60 }]);
  });

  test('read on while a long write runs, in its own request and in others', async () => {
    const { promise: enough, resolve: end } = Promise.withResolvers<void>();
    const began = Promise.withResolvers<void>();
    let isOpen = true;
    const long = database.write(async (transaction) => {
      await sql(transaction, 'insert into booking (seat_id) values (1)');
      began.resolve();
      await enough;
      isOpen = false;
    });
    await began.promise;
    for (let reads = 0; reads < 100; reads += 4)
      await Promise.all(Array.from({ length: 4 }, () => sql(database.reader, 'select count(*) as n from seat')));
    expect(isOpen).toBe(true);
    end();
    await long;
  });

  test('lock rows that are not there without a word', async () => {
    await database.write(async (transaction) => {
      await transaction.lock('seat', [77, 1, 1, 78]);
      await transaction.lock('seat', []);
    });
  });
});

describe('Writers of one SQLite file', () => {
  let test_: OpenTest;
  beforeAll(async () => {
    test_ = await openTest('sqlite');
    await make(test_.database, seats);
    await test_.database.write((transaction) => sql(transaction, "insert into seat (name) values ('a')"));
  });
  afterAll(() => test_.close());

  test('take turns in the order they came', async () => {
    const order: number[] = [];
    await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        test_.database.write(async () => {
          await sleep(Math.random() * 4);
          order.push(i);
        }),
      ),
    );
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  test('are told to come back when their turn does not come in time, and only they', async () => {
    const { database } = test_;
    const { unavailable } = database.metrics();
    let isOver = false;
    const long = database.write(async () => {
      await sleep(150);
      isOver = true;
    });
    const late = expect(database.write(async () => 'late', { deadlineMs: 50 })).rejects.toMatchObject({
      status: 503,
      retryAfter: 2,
      code: 'core.database_busy',
    });
    const patient = database.write(async () => 'patient');
    await late;
    expect(isOver).toBe(false);
    await long;
    expect(await patient).toBe('patient');
    expect(database.metrics()).toMatchObject({ unavailable: unavailable + 1, writesWaiting: 0 });
  });

  test('wait for another process while reads go on undisturbed', async () => {
    const { database } = test_;
    const other = await test_.otherProcess();
    expect(await other.ask('hold')).toBe('holding');
    let written = 0;
    const impatient = expect(database.write(async () => {}, { deadlineMs: 200 })).rejects.toThrow(Unavailable);
    const patient = Promise.all(
      Array.from({ length: 50 }, () =>
        database.write(
          async () => {
            written += 1;
          },
          { deadlineMs: 600_000 },
        ),
      ),
    );
    for (let i = 0; i < 50; i += 1)
      await Promise.all(Array.from({ length: 10 }, () => sql(database.reader, 'select * from seat')));
    await impatient;
    expect(written).toBe(0);
    expect(await other.ask('release')).toBe('committed');
    await patient;
    expect(written).toBe(50);
    await other.close();
  });

  test('in two processes at once lose nothing', async () => {
    const { database } = test_;
    const other = await test_.otherProcess();
    const count = 'update seat set taken = taken + 1';
    await database.write((transaction) => sql(transaction, 'update seat set taken = 0'));
    const theirs = (async () => {
      for (let i = 0; i < 60; i += 1) await other.ask(count);
    })();
    for (let i = 0; i < 60; i += 1) await database.write((transaction) => sql(transaction, count));
    await theirs;
    expect(await sql(database.reader, 'select taken from seat')).toEqual([{ taken: 120 }]);
    await other.close();
  });
});

describe('PostgreSQL writers', () => {
  let test_: OpenTest;
  beforeAll(async () => {
    test_ = await openTest('postgres');
    await make(test_.database, seats, bookings);
    await test_.database.write((transaction) =>
      sql(transaction, "insert into seat (id, name) values (1, 'a'), (2, 'b')"),
    );
  });
  afterAll(() => test_.close());

  /** A write that reads, lets another one change the same row, and writes. */
  async function overtake(times: number, options: { retries?: number } = {}) {
    const { database } = test_;
    const log: string[] = [];
    let tries = 0;
    const result = await database.write(async (transaction) => {
      tries += 1;
      transaction.afterCommit(() => {
        log.push(`effect of try ${tries}`);
      });
      const [row] = await sql(transaction, 'select taken from seat where id = 1');
      if (tries <= times) {
        const outside = await test_.another();
        await outside.write((other) => sql(other, 'update seat set taken = taken + 10 where id = 1'));
        await outside.close();
      }
      await sql(transaction, 'update seat set taken = ? where id = 1', Number(row?.taken) + 1);
      return tries;
    }, options);
    return { result, log };
  }

  test('start again when somebody else was faster, and only the last try has effects', async () => {
    const before = test_.database.metrics().retries;
    await test_.database.write((transaction) => sql(transaction, 'update seat set taken = 0'));
    const { result, log } = await overtake(2);
    expect(result).toBe(3);
    expect(log).toEqual(['effect of try 3']);
    expect(await sql(test_.database.reader, 'select taken from seat where id = 1')).toEqual([{ taken: 21 }]);
    expect(test_.database.metrics().retries - before).toBe(2);
  });

  test('give up after the tries they have', async () => {
    await expect(overtake(9, { retries: 2 })).rejects.toMatchObject({ status: 503, code: 'core.database_busy' });
  });

  test('start again even when the work swallowed the failure', async () => {
    const { database } = test_;
    const outside = await test_.another();
    let tries = 0;
    await database.write(async (transaction) => {
      tries += 1;
      await sql(transaction, 'select 1 from seat');
      if (tries === 1) await outside.write((other) => sql(other, 'update seat set taken = 5 where id = 1'));
      await sql(transaction, 'update seat set taken = 6 where id = 1').catch(() => {});
    });
    expect(tries).toBe(2);
    expect(await sql(database.reader, 'select taken from seat where id = 1')).toEqual([{ taken: 6 }]);
  });

  test('start again when what went out with the next statement, or with the commit, met others', async () => {
    const { database } = test_;
    const outside = await test_.another();
    for (const more of ['select 1 from seat', '']) {
      let tries = 0;
      await database.write(async (transaction) => {
        tries += 1;
        await sql(transaction, 'select 1 from seat');
        if (tries === 1) await outside.write((other) => sql(other, 'update seat set taken = 5 where id = 1'));
        await transaction.query({ sql: 'update seat set taken = 6 where id = 1', bindings: [], isAhead: true });
        if (more) await sql(transaction, more);
      });
      expect(tries).toBe(2);
      expect(await sql(database.reader, 'select taken from seat where id = 1')).toEqual([{ taken: 6 }]);
    }
  });

  test('see, once they hold a lock, what an earlier holder did after they had begun', async () => {
    const { database } = test_;
    const outside = await test_.another();
    let tries = 0;
    const counted = await database.write(async (transaction) => {
      tries += 1;
      await sql(transaction, 'select name from seat');
      if (tries === 1) expect(await outside.write((other) => book(other, 1, 1))).toBe(true);
      return book(transaction, 1, 1);
    });
    expect(counted).toBe(false);
    expect(await sql(database.reader, 'select count(*) as n from booking')).toEqual([{ n: 1 }]);
  });

  test('wait no longer for a lock than they were told to, and try again', async () => {
    const { database } = test_;
    const before = database.metrics().retries;
    const held = Promise.withResolvers<void>();
    const holder = database.write(async (transaction) => {
      await sql(transaction, 'update seat set taken = 1 where id = 2');
      held.resolve();
      await until(() => database.metrics().retries > before);
    });
    await held.promise;
    await database.write((transaction) => sql(transaction, 'alter table seat add column extra text'), {
      lockTimeoutMs: 20,
      retries: 50,
    });
    expect(database.metrics().retries).toBeGreaterThan(before);
    await holder;
  });

  test('go on with statements that were prepared before a table changed', async () => {
    const { database } = test_;
    const all = () => sql(database.reader, 'select * from seat where id = 1');
    const inWrite = () => database.write((transaction) => sql(transaction, 'select * from seat where id = 2'));
    for (let i = 0; i < 3; i += 1) await Promise.all([all(), all(), inWrite(), inWrite()]);
    await database.write((transaction) => sql(transaction, 'alter table seat add column later text'));
    expect(Object.keys((await all())[0] ?? {})).toContain('later');
    expect(Object.keys((await inWrite())[0] ?? {})).toContain('later');
  });

  test('break a deadlock among themselves', async () => {
    const { database } = test_;
    const cross = (first: number, second: number) => (transaction: Transaction) =>
      (async () => {
        await sql(transaction, 'update seat set taken = taken + 1 where id = ?', first);
        await sleep(30);
        await sql(transaction, 'update seat set taken = taken + 1 where id = ?', second);
      })();
    await database.write((transaction) => sql(transaction, 'update seat set taken = 0'));
    await Promise.all([database.write(cross(1, 2)), database.write(cross(2, 1))]);
    expect(await sql(database.reader, 'select taken from seat')).toEqual([{ taken: 2 }, { taken: 2 }]);
  });
});
