import { eachDatabase } from '../../../tools/testing/databases.ts';
import type { ChangeOrigin, Database } from '../types.ts';
import { make, type OpenTest, openTest, seats, sleep, sql, until } from './support.ts';

/** What a database was told, in order. */
function record(database: Database) {
  const heard: { tables: string[]; origin: ChangeOrigin }[] = [];
  const stop = database.changes.subscribe((tables, origin) => {
    heard.push({ tables: tables === 'all' ? ['all'] : [...tables].sort(), origin });
  });
  return { heard, stop };
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

eachDatabase('A change', (dialect) => {
  let test_: OpenTest;
  let here: Database;
  let there: Database;
  const touch = (database: Database, ...tables: string[]) =>
    database.write(async (transaction) => {
      for (const table of tables) transaction.touch(table);
    });

  beforeAll(async () => {
    test_ = await openTest(dialect);
    here = test_.database;
    there = await test_.another();
    await make(here, seats);
    await sleep(250);
  });
  afterAll(() => test_.close());

  test('has raised the version here when the write resolves, and not before its commit', async () => {
    const before = here.changes.version('seat');
    await here.write(async (transaction) => {
      transaction.touch('seat');
      expect(here.changes.version('seat')).toBe(before);
    });
    expect(here.changes.version('seat')).toBe(before + 1);
  });

  test('that failed is no change', async () => {
    await sleep(250);
    const before = [here, there].map((node) => node.changes.version('seat'));
    const failing = here.write(async (transaction) => {
      transaction.touch('seat');
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await sleep(250);
    expect([here, there].map((node) => node.changes.version('seat'))).toEqual(before);
  });

  test('is heard by other nodes within 250 ms, with the tables it names and no others', async () => {
    const { heard, stop } = record(there);
    const other = there.changes.version('other');
    const delays: number[] = [];
    for (let i = 0; i < 12; i += 1) {
      const before = there.changes.version('seat');
      await touch(here, 'seat', `table_${i}`);
      delays.push(await until(() => there.changes.version('seat') > before));
      expect(there.changes.version('seat')).toBe(before + 1);
      await sleep(Math.random() * 60);
    }
    stop();
    expect(heard).toEqual(delays.map((_, i) => ({ tables: ['seat', `table_${i}`], origin: 'remote' })));
    expect(there.changes.version('other')).toBe(other);
    expect(median(delays)).toBeLessThan(dialect === 'sqlite' ? 130 : 50);
    expect(Math.max(...delays)).toBeLessThan(500);
  });

  test('is told once to listeners of the node that made it, and none that fails keeps others from hearing', async () => {
    const failing = here.changes.subscribe(() => {
      throw new Error('bad listener');
    });
    const { heard, stop } = record(here);
    await touch(here, 'seat');
    await sleep(250);
    stop();
    failing();
    expect(heard).toEqual([{ tables: ['seat'], origin: 'local' }]);
    expect(test_.log.lines.at(-1)?.details).toMatchObject({ err: { message: 'bad listener' } });
  });

  test('of very many tables at once is heard whole', async () => {
    const names = Array.from({ length: 900 }, (_, i) => `a_table_with_a_rather_long_name_${i}`);
    const { heard, stop } = record(there);
    await touch(here, ...names);
    await until(() => heard.flatMap((change) => change.tables).length >= names.length);
    stop();
    expect(heard.flatMap((change) => change.tables).sort()).toEqual([...names].sort());
  });

  test('of two nodes at once reaches both', async () => {
    const first = record(here);
    const second = record(there);
    await Promise.all([touch(here, 'from_here'), touch(there, 'from_there')]);
    await until(() => first.heard.length >= 2 && second.heard.length >= 2);
    first.stop();
    second.stop();
    const remote = (heard: typeof first.heard) => heard.filter((change) => change.origin === 'remote');
    expect(remote(first.heard)).toEqual([{ tables: ['from_there'], origin: 'remote' }]);
    expect(remote(second.heard)).toEqual([{ tables: ['from_here'], origin: 'remote' }]);
  });

  test('made by another process is heard in time, and what it wrote is there to read', async () => {
    const other = await test_.otherProcess();
    const delays: number[] = [];
    for (let i = 0; i < 12; i += 1) {
      const before = here.changes.version('seat');
      const heard = until(() => here.changes.version('seat') > before).then(() => Date.now());
      const committed = Number(await other.ask(`insert into seat (name) values ('from another process ${i}')`));
      delays.push((await heard) - committed);
      const [row] = await sql(here.reader, 'select count(*) as n from seat');
      expect(Number(row?.n)).toBe(i + 1);
    }
    await other.close();
    expect(median(delays)).toBeLessThan(dialect === 'sqlite' ? 130 : 50);
    expect(Math.max(...delays)).toBeLessThan(500);
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
