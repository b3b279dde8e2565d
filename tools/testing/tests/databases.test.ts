import { existsSync } from 'node:fs';
import pg from 'pg';
import { createTestDatabase, eachDatabase, someDatabase, type TestDatabase } from '../databases.ts';
import { query } from '../postgres/server.ts';
import { startPostgres } from '../postgres/start.ts';

eachDatabase('A test database', (dialect) => {
  test('is a new one each time, on the same server', async () => {
    const first = await createTestDatabase(dialect);
    const second = await createTestDatabase(dialect);
    expect(second.url).not.toBe(first.url);
    expect(new URL(second.url).host).toBe(new URL(first.url).host);
    await Promise.all([first.drop(), second.drop()]);
  });
});

const declared: string[] = [];
eachDatabase('Tests of both databases and of one', (dialect, once) => {
  test('are declared', () => void declared.push(`each ${dialect}`));
  once('are declared where it is the usual one', () => void declared.push(`once ${dialect}`));
  once.each(['a', 'b'])('as well as rows of a table: %s', (row) => void declared.push(`${row} ${dialect}`));
});
someDatabase('Tests of one database', (dialect) => {
  beforeAll(() => void declared.push('set up'));
  test('run on the usual one', () => void declared.push(`some ${dialect}`));
});
describe('A block without tests', () => {
  beforeAll(() => void declared.push('set up for nothing'));
});
// In any order.
afterAll(() => {
  const { DATABASES: selection = '' } = process.env;
  const all = ['sqlite', 'postgres'];
  const dialects = all.includes(selection) ? [selection] : all;
  const usualDialects = declared.filter((line) => line.startsWith('some ')).map((line) => line.slice('some '.length));
  expect(usualDialects).toHaveLength(selection === 'both' ? 2 : 1);
  expect([...declared].sort()).toEqual(
    [
      ...dialects.map((name) => `each ${name}`),
      ...usualDialects.flatMap((name) => [`once ${name}`, `a ${name}`, `b ${name}`, `some ${name}`, 'set up']),
    ].sort(),
  );
});

describe('A PostgreSQL test database', () => {
  const connected = async <T>(database: TestDatabase, use: (client: pg.Client) => Promise<T>): Promise<T> => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    try {
      return await use(client);
    } finally {
      await client.end();
    }
  };

  test('is PostgreSQL itself, empty, with trigrams and unaccent', async () => {
    const database = await createTestDatabase('postgres');
    const row = await connected(database, async (client) => {
      const tables = await client.query(`SELECT count(*)::int AS n FROM pg_tables WHERE schemaname = 'public'`);
      const words = await client.query(
        `SELECT unaccent('é') AS word, similarity('pergola', 'pergolas') > 0.5 AS similar`,
      );
      return { ...tables.rows[0], ...words.rows[0] };
    });
    expect(row).toEqual({ n: 0, word: 'e', similar: true });
    await database.drop();
  });

  test('is not there any more once dropped', async () => {
    const database = await createTestDatabase('postgres');
    await database.drop();
    await expect(connected(database, async () => {})).rejects.toThrow('does not exist');
  });

  test('may be dropped twice', async () => {
    const database = await createTestDatabase('postgres');
    await database.drop();
    await database.drop();
  });
});

describe('A PostgreSQL server that is there already', () => {
  test('is used as it is, and has nothing left in it afterwards', async () => {
    const ownServer = await startPostgres();
    const guest = await startPostgres(undefined, ownServer.url);
    await query(ownServer.url, [`CREATE DATABASE ${guest.prefix}cut_short TEMPLATE ${guest.template}`]);
    await guest.stop();
    await expect(
      query(ownServer.url, [`CREATE DATABASE ${guest.template}`, `CREATE DATABASE ${guest.prefix}cut_short`]),
    ).resolves.toBeUndefined();
    await ownServer.stop();
    await expect(query(ownServer.url, ['SELECT 1'])).rejects.toThrow('ECONNREFUSED');
  });

  test('but cannot be used, is told with the reason', async () => {
    const unreachable = startPostgres(undefined, 'postgres://nobody@127.0.0.1:1/none');
    await expect(unreachable).rejects.toThrow(
      /Can.t use the PostgreSQL server of TEST_PG_URL: .*ECONNREFUSED.*must be able to/,
    );
  });
});

test('A SQLite test database leaves no file behind', async () => {
  const database = await createTestDatabase('sqlite');
  const file = database.url.slice('sqlite:'.length);
  expect(existsSync(file.replace(/\/[^/]+$/, ''))).toBe(true);
  await database.drop();
  expect(existsSync(file.replace(/\/[^/]+$/, ''))).toBe(false);
});
