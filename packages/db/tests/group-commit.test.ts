import { Unavailable } from '../../../core/base/errors.ts';
import { eachDatabase } from '../../../tools/testing/databases.ts';
import type { Transaction } from '../types.ts';
import { make, type OpenTest, openTest, seats, sleep, sql } from './support.ts';

/** Numbers that look like chance and are the same each time. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

eachDatabase('Writes that come at once', (dialect) => {
  let test_: OpenTest;
  let label = '';
  const add = (transaction: Transaction, name: string) =>
    sql(transaction, 'insert into seat (name) values (?)', name).then(() => transaction.touch('seat'));
  const names = async () =>
    (await sql(test_.database.reader, 'select name from seat order by name')).map((row) => String(row.name));
  const write = (name: string, work: (transaction: Transaction) => Promise<unknown> = (t) => add(t, name)) =>
    test_.database.write(work, { label });

  beforeAll(async () => {
    test_ = await openTest(dialect);
    await make(test_.database, seats);
  });
  beforeEach(async () => {
    label = expect.getState().currentTestName ?? '';
    // Only what was seen to be quick shares a commit.
    await write('', async () => {});
  });
  afterEach(() => test_.database.write((transaction) => sql(transaction, 'delete from seat')));
  afterAll(() => test_.close());

  test('are all saved, and seen as soon as they answer; on SQLite they share commits', async () => {
    const commits = async () =>
      dialect === 'sqlite'
        ? Number((await sql(test_.database.reader, 'select max(version) as n from core_change'))[0]?.n)
        : 0;
    await write('first');
    const before = await commits();
    const order: string[] = [];
    const wanted = Array.from({ length: 40 }, (_, i) => `n${i}`);
    await Promise.all(
      wanted.map(async (name) => {
        await write(name, async (transaction) => {
          transaction.afterCommit(() => {
            order.push(name);
          });
          await add(transaction, name);
        });
        expect(await names()).toContain(name);
      }),
    );
    expect(await names()).toEqual(['first', ...wanted].sort());
    expect(order.toSorted()).toEqual(wanted.toSorted());
    if (dialect === 'sqlite') expect((await commits()) - before).toBeLessThan(20);
  });

  test('fail each by itself, whichever of them it is', async () => {
    const random = numbers(7);
    const wanted = Array.from({ length: 60 }, (_, i) => ({ name: `n${i}`, fails: random(3) === 0 }));
    const settled = await Promise.allSettled(
      wanted.map(({ name, fails }) =>
        write(name, async (transaction) => {
          await add(transaction, name);
          if (fails) throw new Error(`${name} fails`);
        }),
      ),
    );
    expect(settled.map(({ status }) => status === 'rejected')).toEqual(wanted.map(({ fails }) => fails));
    expect(await names()).toEqual(
      wanted
        .filter(({ fails }) => !fails)
        .map(({ name }) => name)
        .sort(),
    );
  });

  test('see what those before them wrote, and keep each other’s names unique', async () => {
    const settled = await Promise.allSettled(Array.from({ length: 12 }, () => write('one')));
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await names()).toEqual(['one']);
  });

  test('are saved although one of them takes too long', async () => {
    const slow = (transaction: Transaction) => add(transaction, 'slow').then(() => sleep(200));
    const late = () => test_.database.write(slow, { label, timeoutMs: 30 });
    const settled = await Promise.allSettled([write('a'), write('b'), late(), write('c')]);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(settled[2]).toMatchObject({ reason: expect.any(Unavailable) });
    expect(await names()).toEqual(['a', 'b', 'c']);
  });

  test('are done again when what they shared was lost', async () => {
    const tries: string[] = [];
    const counted = (name: string) =>
      write(name, async (transaction) => {
        tries.push(name);
        await add(transaction, name);
      });
    const breaking = async (transaction: Transaction) => {
      await add(transaction, 'broken');
      // Ends the transaction of SQLite behind its back, as a full disk does.
      if (dialect === 'sqlite') await transaction.query({ sql: 'rollback', bindings: [] });
      throw new Error('broken');
    };
    const settled = await Promise.allSettled([counted('a'), counted('b'), write('', breaking), counted('c')]);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(await names()).toEqual(['a', 'b', 'c']);
    if (dialect === 'sqlite') expect(tries.length).toBeGreaterThan(3);
  });

  test('keep exactly what savepoints kept, however these are nested', async () => {
    for (let seed = 1; seed <= 40; seed += 1) {
      const random = numbers(seed);
      const tree = async (transaction: Transaction, prefix: string, depth: number): Promise<string[]> => {
        const kept: string[] = [];
        for (let step = 0; step < 3; step += 1) {
          const name = `${prefix}.${step}`;
          if (random(2) === 0) {
            await add(transaction, name);
            kept.push(name);
          } else if (depth < 4) {
            const inner = transaction.savepoint(async () => {
              const within = await tree(transaction, name, depth + 1);
              if (random(3) === 0) throw new Error('undone');
              return within;
            });
            kept.push(...(await inner.catch(() => [])));
          }
        }
        return kept;
      };
      const kept = await Promise.all(
        ['a', 'b', 'c'].map((name) =>
          test_.database.write((transaction) => tree(transaction, `${seed}${name}`, 0), { label }),
        ),
      );
      expect(await names()).toEqual(kept.flat().sort());
      await test_.database.write((transaction) => sql(transaction, 'delete from seat'));
    }
  });
});
