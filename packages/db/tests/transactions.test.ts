import { Unavailable } from '../../../core/base/errors.ts';
import { createTestDatabase, eachDatabase } from '../../../tools/testing/databases.ts';
import { DatabaseMisuse } from '../errors.ts';
import { openDatabase } from '../open.ts';
import type { Transaction } from '../types.ts';
import { startNetwork } from './network.ts';
import { createKeptLog, make, type OpenTest, openTest, seats, sleep, sql } from './support.ts';

eachDatabase('A write', (dialect) => {
  let test_: OpenTest;
  const add = (transaction: Transaction, name: string) => sql(transaction, 'insert into seat (name) values (?)', name);
  const names = async () =>
    (await sql(test_.database.reader, 'select name from seat order by id')).map((row) => row.name);

  beforeAll(async () => {
    test_ = await openTest(dialect);
    await make(test_.database, seats);
  });
  afterEach(() => test_.database.write((transaction) => sql(transaction, 'delete from seat')));
  afterAll(() => test_.close());

  test('is seen by every read that starts after it', async () => {
    const { database } = test_;
    for (let i = 0; i < 50; i += 1) {
      await database.write((transaction) => add(transaction, `n${i}`));
      const counts = await Promise.all(
        Array.from({ length: 6 }, () => sql(database.reader, 'select count(*) as n from seat')),
      );
      expect(counts.map(([row]) => Number(row?.n))).toEqual(Array(6).fill(i + 1));
    }
  });

  test('answers what its work answers, and how many rows each statement changed', async () => {
    const changes = await test_.database.write(async (transaction) => {
      await add(transaction, 'a');
      await add(transaction, 'b');
      const updated = await transaction.query({ sql: 'update seat set taken = 1', bindings: [] });
      const answered = await transaction.query({ sql: 'update seat set taken = 2 returning id', bindings: [] });
      const none = await transaction.query({ sql: 'delete from seat where taken = 7 returning id', bindings: [] });
      const read = await transaction.query({ sql: 'select * from seat', bindings: [] });
      return [updated.changes, answered.changes, answered.rows.length, none.changes, read.changes];
    });
    expect(changes).toEqual([2, 2, 2, 0, 0]);
  });

  test('leaves nothing behind when its work fails, and lets the next one pass', async () => {
    const { database } = test_;
    const failing = database.write(async (transaction) => {
      await add(transaction, 'gone');
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await database.write((transaction) => add(transaction, 'kept'));
    expect(await names()).toEqual(['kept']);
  });

  test('undoes only what a failed savepoint wrote, also a nested one', async () => {
    const effects: string[] = [];
    await test_.database.write(async (transaction) => {
      await add(transaction, 'outer');
      const failing = transaction.savepoint(async () => {
        await add(transaction, 'middle');
        transaction.afterCommit(() => {
          effects.push('middle');
        });
        await transaction.savepoint(() => add(transaction, 'inner'));
        throw new Error('undo');
      });
      await expect(failing).rejects.toThrow('undo');
      await transaction.savepoint(() => add(transaction, 'second'));
      transaction.afterCommit(() => {
        effects.push('outer');
      });
    });
    expect(await names()).toEqual(['outer', 'second']);
    expect(effects).toEqual(['outer']);
  });

  test('does what goes out with the next statement in its order, and undoes it with its savepoint', async () => {
    const { database } = test_;
    const ahead = (transaction: Transaction, name: string) =>
      transaction.query({ sql: `insert into seat (name) values ('${name}')`, bindings: [], isAhead: true });
    await database.write(async (transaction) => {
      await ahead(transaction, 'first');
      await add(transaction, 'second');
      const failing = transaction.savepoint(async () => {
        await ahead(transaction, 'undone');
        throw new Error('undo');
      });
      await expect(failing).rejects.toThrow('undo');
      await transaction.savepoint(() => ahead(transaction, 'third'));
      await ahead(transaction, 'last');
    });
    await expect(
      database.write(async (transaction) => {
        await ahead(transaction, 'gone');
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(await names()).toEqual(['first', 'second', 'third', 'last']);
  });

  test('runs what is started side by side in its order', async () => {
    const count = (transaction: Transaction) => sql(transaction, 'select count(*) as n from seat');
    const [before, , between, , after] = await test_.database.write((transaction) =>
      Promise.all([
        count(transaction),
        add(transaction, 'first'),
        count(transaction),
        add(transaction, 'second'),
        count(transaction),
      ]),
    );
    expect([before, between, after].map(([row]) => Number(row?.n))).toEqual([0, 1, 2]);
  });

  test('goes on after a read that failed beside others', async () => {
    const { database } = test_;
    const failing = database.write(async (transaction) => {
      await add(transaction, 'undone');
      await Promise.all([sql(transaction, 'select 1 as one'), sql(transaction, 'select nothing from seat')]);
    });
    await expect(failing).rejects.toThrow('nothing');
    await database.write((transaction) => add(transaction, 'kept'));
    expect(await names()).toEqual(['kept']);
  });

  test('keeps what is to be done after it when only a savepoint beside that is undone', async () => {
    const effects: string[] = [];
    const after = (transaction: Transaction, name: string) =>
      transaction.afterCommit(() => {
        effects.push(name);
      });
    await test_.database.write(async (transaction) => {
      const undone = transaction.savepoint(async () => {
        after(transaction, 'undone');
        await sleep(10);
        throw new Error('undo');
      });
      await sleep(2);
      after(transaction, 'beside');
      await expect(undone).rejects.toThrow('undo');
    });
    expect(effects).toEqual(['beside']);
  });

  test('goes on after a statement that a savepoint undid', async () => {
    await test_.database.write(async (transaction) => {
      await add(transaction, 'a');
      await transaction.savepoint(() => add(transaction, 'a')).catch(() => {});
      await add(transaction, 'b');
    });
    expect(await names()).toEqual(['a', 'b']);
  });

  test('runs savepoints beside an open one after it, and refuses queries', async () => {
    await test_.database.write(async (transaction) => {
      const slow = transaction.savepoint(async () => {
        await sleep(20);
        await add(transaction, 'slow');
      });
      const next = transaction.savepoint(async () => {
        await transaction.savepoint(() => add(transaction, 'next'));
        throw new Error('undone');
      });
      await expect(add(transaction, 'beside')).rejects.toThrow('side by side');
      await Promise.all([slow, expect(next).rejects.toThrow('undone')]);
    });
    expect(await names()).toEqual(['slow']);
  });

  test('is refused inside another write, which would wait for itself', async () => {
    const { database } = test_;
    const nested = database.write(() => database.write(async () => {}, { label: 'inner' }), { label: 'outer' });
    await expect(nested).rejects.toThrow(/“inner” was started inside the write “outer”/);
  });

  test('may start from what another one does after its commit', async () => {
    const { database } = test_;
    await database.write(async (transaction) => {
      transaction.afterCommit(() => database.write((next) => add(next, 'after')).then(() => {}));
      await add(transaction, 'first');
    });
    expect(await names()).toEqual(['first', 'after']);
  });

  test('logs an effect that fails, runs the others, and stays saved', async () => {
    const ran: string[] = [];
    await test_.database.write(async (transaction) => {
      await add(transaction, 'saved');
      transaction.afterCommit(() => Promise.reject(new Error('effect failed')));
      transaction.afterCommit(() => {
        ran.push('second');
      });
    });
    expect(ran).toEqual(['second']);
    expect(await names()).toEqual(['saved']);
    expect(test_.log.lines.at(-1)).toMatchObject({ level: 'error', details: { err: { message: 'effect failed' } } });
  });

  test('refuses every use after its end, at once', async () => {
    let escaped: Transaction | undefined;
    await test_.database.write(async (transaction) => {
      escaped = transaction;
    });
    await expect(escaped?.query({ sql: 'select 1', bindings: [] })).rejects.toThrow(
      /has ended, so nothing more can run in it/,
    );
    expect(() => escaped?.touch('seat')).toThrow(DatabaseMisuse);
    await expect(escaped?.savepoint(async () => {})).rejects.toThrow(DatabaseMisuse);
  });

  test('is rolled back when it takes longer than it may', async () => {
    const { database } = test_;
    let late: Promise<unknown> = Promise.resolve();
    const slow = database.write(
      async (transaction) => {
        await add(transaction, 'slow');
        await sleep(80);
        late = add(transaction, 'late');
        await late;
      },
      { timeoutMs: 40, label: 'slow' },
    );
    await expect(slow).rejects.toThrow(Unavailable);
    await sleep(60);
    await expect(late).rejects.toThrow(/took longer than 40 ms/);
    await database.write((transaction) => add(transaction, 'next'));
    expect(await names()).toEqual(['next']);
  });

  // PostgreSQL refuses further statements of such a transaction by itself.
  if (dialect === 'sqlite')
    test('saves nothing after the disk was full, even if the work goes on', async () => {
      const node = await test_.another();
      const outcome = node.write(async (transaction) => {
        const [{ page_count: pages } = {}] = await sql(transaction, 'select page_count from pragma_page_count');
        await sql(transaction, `pragma max_page_count = ${Number(pages)}`);
        await add(transaction, 'small');
        await expect(add(transaction, 'x'.repeat(100_000))).rejects.toMatchObject({ code: 'core.disk_full' });
        await expect(add(transaction, 'later')).rejects.toThrow(/given up by the database/);
      });
      await expect(outcome).rejects.toMatchObject({ code: 'core.disk_full' });
      await node.close();
      expect(await names()).toEqual([]);
    });

  test('cannot be done through the read pool or a snapshot', async () => {
    const { database } = test_;
    const insert = { sql: "insert into seat (name) values ('x')", bindings: [] };
    await expect(database.reader.query(insert)).rejects.toThrow(DatabaseMisuse);
    await expect(database.snapshot((connection) => connection.query(insert))).rejects.toThrow(
      /only reading is allowed/,
    );
    await expect(database.write(() => database.reader.query(insert))).rejects.toThrow(DatabaseMisuse);
    expect(await names()).toEqual([]);
  });

  test('does not move a snapshot', async () => {
    const { database } = test_;
    await database.write((transaction) => add(transaction, 'before'));
    await database.snapshot(async (connection) => {
      await database.write((transaction) => add(transaction, 'after'));
      expect(await sql(connection, 'select name from seat')).toEqual([{ name: 'before' }]);
      expect(await names()).toEqual(['before', 'after']);
    });
  });
});

test('Reads that are started side by side go out in one packet', async () => {
  const made = await createTestDatabase('postgres');
  const network = await startNetwork(made.url);
  const database = await openDatabase({ url: network.url, log: createKeptLog(), readers: 1 });
  try {
    let packets = 0;
    const answers = await database.write(async (transaction) => {
      await sql(transaction, 'select 0 as n');
      network.onSend = () => {
        packets += 1;
        return false;
      };
      const numbers = await Promise.all([1, 2, 3].map((n) => sql(transaction, `select ${n} as n`)));
      network.onSend = null;
      return numbers;
    });
    expect(answers).toEqual([[{ n: 1 }], [{ n: 2 }], [{ n: 3 }]]);
    expect(packets).toBe(1);
  } finally {
    await database.close();
    await network.close();
    await made.drop();
  }
});
