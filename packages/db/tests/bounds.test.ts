import { eachDatabase } from '../../../tools/testing/databases.ts';
import type { Database } from '../types.ts';
import { type OpenTest, openTest, sleep, sql, until } from './support.ts';

eachDatabase('A statement that reads', (dialect) => {
  let opened: OpenTest;
  let database: Database;
  /** Ends, with a result, after half a minute unless it is stopped. */
  const slow =
    dialect === 'sqlite'
      ? 'with recursive c(n) as (select 1 union all select n + 1 from c where n < 300000000) select max(n) from c'
      : 'select pg_sleep(30)';
  beforeAll(async () => {
    opened = await openTest(dialect, { readers: 1 });
    ({ database } = opened);
  });
  afterAll(() => opened.close());

  test('is stopped when it takes too long, and its connection goes on', async () => {
    const late = sql(database.reading({ statementMs: 150 }), slow);
    const next = sql(database.reading({ statementMs: 60_000 }), 'select 1 as one');
    await expect(late).rejects.toMatchObject({ status: 503, code: 'core.took_too_long', retryAfter: 30 });
    expect(await next).toEqual([{ one: 1 }]);
    for (let again = 0; again < 20; again += 1)
      expect(await sql(database.reader, 'select 2 as two')).toEqual([{ two: 2 }]);
  });

  test('is stopped when nobody waits any more, and nothing else is', async () => {
    const left = new AbortController();
    const reading = database.reading({ signal: left.signal });
    const running = sql(reading, slow);
    const waiting = sql(reading, slow);
    const other = sql(database.reader, 'select 3 as three');
    await sleep(100);
    left.abort();
    await expect(running).rejects.toMatchObject({ status: 503 });
    await expect(waiting).rejects.toMatchObject({ status: 503 });
    expect(await other).toEqual([{ three: 3 }]);
    await expect(sql(reading, 'select 1')).rejects.toMatchObject({ status: 503 });
  });

  test('of one visitor leaves half of the connections to others, and a crowd of them is sent away', async () => {
    const node = await opened.another({ readers: 4 });
    const left = new AbortController();
    const theirs = Array.from({ length: 420 }, () =>
      sql(node.reading({ signal: left.signal, whose: 'user 7' }), slow).catch((error: unknown) => error),
    );
    await sleep(100);
    expect(await sql(node.reading({ whose: 'user 8' }), 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(await sql(node.reader, 'select 2 as two')).toEqual([{ two: 2 }]);
    const sentAway = await Promise.all(theirs.slice(402));
    expect(sentAway).toHaveLength(18);
    for (const error of sentAway) expect(error).toMatchObject({ status: 503 });
    left.abort();
    await Promise.all(theirs);
    expect(await sql(node.reading({ whose: 'user 7' }), 'select 3 as three')).toEqual([{ three: 3 }]);
    await node.close();
  });

  test('that keeps the last connection makes the database unwell, until it is stopped', async () => {
    const left = new AbortController();
    expect(await database.health()).toBe(true);
    const running = sql(database.reading({ signal: left.signal }), slow).catch(() => 'stopped');
    await until(async () => !(await database.health()));
    left.abort();
    expect(await running).toBe('stopped');
    expect(await database.health()).toBe(true);
  });

  test('does not keep the database from closing', async () => {
    const node = await opened.another();
    const running = sql(node.reader, slow).catch(() => 'stopped');
    // It has begun.
    await until(() => node.metrics().connections > 1);
    await sleep(200);
    await node.close();
    expect(await running).toBe('stopped');
  });
});
