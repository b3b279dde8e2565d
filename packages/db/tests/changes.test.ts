import { type HeldIntervals, holdIntervals } from '../../../tools/testing/clock.ts';
import { eachDatabase } from '../../../tools/testing/databases.ts';
import type { ChangeOrigin, Database } from '../types.ts';
import { make, type OpenTest, openTest, seats, sql, until } from './support.ts';

// A node that got no answer for 250 ms takes everything as changed. On a busy machine that can happen at any time, and doesn't count here.

/** What a database was told of tables, in order. */
function record(database: Database) {
  const heard: { tables: string[]; origin: ChangeOrigin }[] = [];
  const stop = database.changes.subscribe((tables, origin) => {
    if (tables !== 'all') heard.push({ tables: [...tables].sort(), origin });
  });
  return { heard, stop };
}

const versionOf = ({ changes }: Database, table: string): number =>
  changes.version(table) - changes.version('a table that never changes');

eachDatabase('A change', (dialect) => {
  let intervals: HeldIntervals;
  let test_: OpenTest;
  let here: Database;
  let there: Database;
  const touch = (database: Database, ...tables: string[]) =>
    database.write(async (transaction) => {
      for (const table of tables) transaction.touch(table);
    });

  /** Waits until a node has heard of all earlier changes of another: it hears of them in order. */
  const settle = async (from: Database, to: Database): Promise<void> => {
    const before = versionOf(to, 'mark');
    await touch(from, 'mark');
    await intervals.until(() => versionOf(to, 'mark') > before);
  };
  const settleBoth = async (): Promise<void> => {
    await settle(here, there);
    await settle(there, here);
  };

  beforeAll(async () => {
    intervals = holdIntervals();
    test_ = await openTest(dialect);
    here = test_.database;
    there = await test_.another();
    await make(here, seats);
    await settleBoth();
  });
  afterAll(async () => {
    await test_.close();
    intervals[Symbol.dispose]();
  });

  test('has raised the version here when the write resolves, and not before its commit', async () => {
    const before = versionOf(here, 'seat');
    await here.write(async (transaction) => {
      transaction.touch('seat');
      expect(versionOf(here, 'seat')).toBe(before);
    });
    expect(versionOf(here, 'seat')).toBe(before + 1);
  });

  test('that failed is no change', async () => {
    await settleBoth();
    const before = [here, there].map((node) => versionOf(node, 'seat'));
    const failing = here.write(async (transaction) => {
      transaction.touch('seat');
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await settleBoth();
    expect([here, there].map((node) => versionOf(node, 'seat'))).toEqual(before);
  });

  test('is heard by other nodes within 250 ms, with the tables it names and no others', async () => {
    await settle(here, there);
    const { heard, stop } = record(there);
    const other = versionOf(there, 'other');
    for (let i = 0; i < 12; i += 1) {
      const before = versionOf(there, 'seat');
      await touch(here, 'seat', `table_${i}`);
      // PostgreSQL tells it by itself.
      if (dialect === 'sqlite') intervals.pass(250);
      await until(() => versionOf(there, 'seat') > before);
      expect(versionOf(there, 'seat')).toBe(before + 1);
    }
    stop();
    expect(heard).toEqual(Array.from({ length: 12 }, (_, i) => ({ tables: ['seat', `table_${i}`], origin: 'remote' })));
    expect(versionOf(there, 'other')).toBe(other);
  });

  test('is told once to listeners of the node that made it, and none that fails keeps others from hearing', async () => {
    const failing = here.changes.subscribe(() => {
      throw new Error('bad listener');
    });
    const { heard, stop } = record(here);
    await touch(here, 'seat');
    await settleBoth();
    stop();
    failing();
    expect(heard.filter(({ tables }) => !tables.includes('mark'))).toEqual([{ tables: ['seat'], origin: 'local' }]);
    expect(test_.log.lines.at(-1)?.details).toMatchObject({ err: { message: 'bad listener' } });
  });

  test('of very many tables at once is heard whole', async () => {
    const names = Array.from({ length: 900 }, (_, i) => `a_table_with_a_rather_long_name_${i}`);
    const { heard, stop } = record(there);
    await touch(here, ...names);
    await intervals.until(() => heard.flatMap((change) => change.tables).length >= names.length);
    stop();
    expect(heard.flatMap((change) => change.tables).sort()).toEqual([...names].sort());
  });

  test('of two nodes at once reaches both', async () => {
    const first = record(here);
    const second = record(there);
    await Promise.all([touch(here, 'from_here'), touch(there, 'from_there')]);
    await intervals.until(() => first.heard.length >= 2 && second.heard.length >= 2);
    first.stop();
    second.stop();
    const remote = (heard: typeof first.heard) => heard.filter((change) => change.origin === 'remote');
    expect(remote(first.heard)).toEqual([{ tables: ['from_there'], origin: 'remote' }]);
    expect(remote(second.heard)).toEqual([{ tables: ['from_here'], origin: 'remote' }]);
  });

  test('made by another process is heard in time, and what it wrote is there to read', async () => {
    const other = await test_.otherProcess();
    await settle(there, here);
    for (let i = 0; i < 12; i += 1) {
      const before = versionOf(here, 'seat');
      await other.ask(`insert into seat (name) values ('from another process ${i}')`);
      if (dialect === 'sqlite') intervals.pass(250);
      await until(() => versionOf(here, 'seat') > before);
      const [row] = await sql(here.reader, 'select count(*) as n from seat');
      expect(Number(row?.n)).toBe(i + 1);
    }
    await other.close();
  });

  test('is reported as heard by a healthy node, and by none that is closed', async () => {
    const node = await test_.another();
    expect(node.changes.healthy).toBe(true);
    expect(await node.health()).toBe(true);
    await node.close();
    expect(node.changes.healthy).toBe(false);
    expect(await node.health()).toBe(false);
  });
});
