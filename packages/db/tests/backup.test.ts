import { eachDatabase, type TestDialect } from '../../../tools/testing/databases.ts';
import { dumpTables } from '../backup/dump.ts';
import { restoreTables } from '../backup/restore.ts';
import type { Database, TableSpec } from '../types.ts';
import { make, type OpenTest, openTest, sleep, sql } from './support.ts';

const nodes: TableSpec = {
  name: 'node',
  columns: [
    { name: 'id', kind: 'id' },
    { name: 'parent_id', kind: 'bigint', references: { table: 'node', onDelete: 'restrict' } },
    { name: 'root_id', kind: 'bigint', references: { table: 'tree', onDelete: 'cascade' } },
    { name: 'label', kind: 'text', notNull: true, default: 'x' },
    { name: 'size', kind: 'bigint' },
    { name: 'share', kind: 'float' },
    { name: 'open', kind: 'boolean', notNull: true, default: false },
    { name: 'day', kind: 'date' },
    { name: 'at', kind: 'datetime' },
    { name: 'data', kind: 'json' },
    { name: 'words', kind: 'words' },
  ],
  indexes: [
    { name: 'node_label', columns: ['label', 'id'], unique: true, where: 'parent_id is not null' },
    { name: 'node_fts', columns: ['words'], using: 'fulltext' },
    { name: 'node_like', columns: ['label'], using: 'trgm' },
  ],
};
const tree: TableSpec = {
  name: 'tree',
  columns: [
    { name: 'id', kind: 'id' },
    { name: 'top_id', kind: 'bigint', references: { table: 'node', onDelete: 'set null' } },
  ],
  indexes: [],
};
const links: TableSpec = {
  name: 'a_link',
  columns: [
    { name: 'node_id', kind: 'bigint', notNull: true, references: { table: 'node', onDelete: 'cascade' } },
    { name: 'tag', kind: 'text', notNull: true },
  ],
  indexes: [],
  primaryKey: ['node_id', 'tag'],
};

const count = 450;

async function fill(database: Database): Promise<void> {
  await make(database, nodes, tree, links);
  const { codec } = database;
  await database.write(async (transaction) => {
    await sql(transaction, 'insert into tree (id) values (1)');
    for (let i = 1; i <= count; i += 1) {
      await sql(
        transaction,
        'insert into node (parent_id, root_id, label, size, share, open, day, at, data, words) values (?, 1, ?, ?, ?, ?, ?, ?, ?, ?)',
        i === 1 ? null : Math.floor(i / 2),
        `n${i} “é”\u2028 \n"`,
        i * 10_000_000_000,
        i / 7,
        codec.encode('boolean', i % 2 === 0),
        i % 3 ? '2024-02-29' : null,
        codec.encode('datetime', new Date(1_700_000_000_123 + i)),
        i % 5 ? codec.encode('json', { i, list: [null, 'é'] }) : null,
        codec.encode('words', `the ${i} of the words`),
      );
      await sql(transaction, 'insert into a_link (node_id, tag) values (?, ?)', i, `tag ${i % 4}`);
    }
    await sql(transaction, 'insert into node (label) values (?)', 'gone');
  });
  await database.write((transaction) => sql(transaction, "delete from node where label = 'gone'"));
  await database.write((transaction) => sql(transaction, 'update tree set top_id = 1'));
}

/** All that a visitor could see of the tables, through the codec. */
async function contents(database: Database) {
  const all: Record<string, unknown[]> = {};
  for (const spec of [nodes, tree, links]) {
    const key = spec.primaryKey?.join(', ') ?? 'id';
    const rows = await sql(database.reader, `select * from ${spec.name} order by ${key}`);
    all[spec.name] = rows.map((row) => spec.columns.map(({ name, kind }) => database.codec.decode(kind, row[name])));
  }
  return all;
}

async function dump(database: Database, tables: string[] | null = null): Promise<string[]> {
  const lines: string[] = [];
  await dumpTables(database, tables, (line) => {
    lines.push(line);
  });
  return lines;
}

eachDatabase('A backup', (from) => {
  let source: OpenTest;
  let lines: string[];
  beforeAll(async () => {
    source = await openTest(from);
    await fill(source.database);
    lines = await dump(source.database);
  });
  afterAll(() => source.close());

  /** An empty database to restore into. */
  async function into<T>(dialect: TestDialect, use: (target: Database) => Promise<T>): Promise<T> {
    const target = await openTest(dialect);
    try {
      return await use(target.database);
    } finally {
      await target.close();
    }
  }

  test.each<TestDialect>(['sqlite', 'postgres'])(
    'restores into %s with rows, keys, indexes and next ids',
    async (dialect) => {
      await into(dialect, async (target) => {
        const before = target.changes.version('node');
        // A node that misses the others for a moment, on a busy machine, counts every table as changed.
        let lapses = 0;
        target.changes.subscribe((tables) => {
          if (tables === 'all') lapses += 1;
        });
        expect(await restoreTables(target, lines)).toEqual({ tables: 3, rows: count * 2 + 1 });
        expect(await contents(target)).toEqual(await contents(source.database));
        expect(target.schema.plan([nodes, tree, links], await target.schema.introspect())).toEqual({
          steps: [],
          problems: [],
        });
        expect(target.changes.version('node')).toBe(before + 1 + lapses);
        const [row] = await target.write((transaction) =>
          sql(transaction, "insert into node (label) values ('new') returning id"),
        );
        expect(row?.id).toBe(count + 2);
        await expect(
          target.write((transaction) => sql(transaction, 'insert into node (parent_id) values (99999)')),
        ).rejects.toMatchObject({ relation: 'missing' });
      });
    },
  );

  test('gives the same lines again from where it was restored', async () => {
    await into(from === 'sqlite' ? 'postgres' : 'sqlite', async (target) => {
      await restoreTables(target, lines);
      const again = await dump(target);
      expect(again.slice(1).sort()).toEqual(lines.slice(1).sort());
    });
  });

  test('is of one moment, while others write', async () => {
    const { database } = source;
    let writing = true;
    let written = 0;
    const writer = (async () => {
      while (writing) {
        await database.write(async (transaction) => {
          const [row] = await sql(transaction, "insert into node (label) values ('busy') returning id");
          await sql(transaction, "insert into a_link values (?, 'busy')", row?.id);
        });
        written += 1;
        await sleep(1);
      }
    })();
    await sleep(10);
    const taken: string[] = [];
    await dumpTables(database, null, async (line) => {
      taken.push(line);
      if (taken.length % 100 === 0) await sleep(2);
    });
    writing = false;
    await writer;
    expect(written).toBeGreaterThan(1);
    const seen = (table: string) => {
      const start = taken.findIndex((line) => line.startsWith(`{"table":"${table}"`));
      return taken
        .slice(
          start + 1,
          taken.findIndex((line) => line.startsWith(`{"end":"${table}"`)),
        )
        .filter((line) => line.includes('"busy"')).length;
    };
    expect(seen('node')).toBe(seen('a_link'));
    await database.write((transaction) => sql(transaction, "delete from node where label = 'busy'"));
  });

  test('of some tables goes back into tables that were emptied or dropped', async () => {
    await into(from, async (target) => {
      await restoreTables(target, lines);
      const some = await dump(target, ['a_link']);
      const before = await contents(target);
      await target.write((transaction) => sql(transaction, 'delete from a_link'));
      await restoreTables(target, some);
      expect(await contents(target)).toEqual(before);
      await target.write((transaction) => target.schema.apply(transaction, [{ type: 'dropTable', table: 'a_link' }]));
      await restoreTables(target, some);
      expect(await contents(target)).toEqual(before);
    });
  });

  test('that cannot be used changes nothing, and says which line is to blame', async () => {
    await into(from, async (target) => {
      const cases: [string, string[], RegExp][] = [
        ['cut off', lines.slice(0, -40), /line \d+: it was cut off/],
        ['no end', lines.slice(0, -1), /cut off/],
        ['a row lost', lines.filter((_, i) => i !== 20), /should hold 450 rows and holds 449/],
        ['a broken line', lines.map((line, i) => (i === 30 ? line.slice(1) : line)), /line 31: it is no line of JSON/],
        ['something else', ['{"hello":1}'], /does not begin like a backup/],
        ['nothing', [], /cut off/],
        ['a newer one', [lines[0]?.replace('"version":1', '"version":2') ?? ''], /newer version/],
      ];
      for (const [, broken, message] of cases) await expect(restoreTables(target, broken)).rejects.toThrow(message);
      expect(await target.schema.introspect()).toEqual([]);
    });
  });

  test('is not put over rows that are there', async () => {
    await expect(restoreTables(source.database, lines)).rejects.toThrow(/has rows already/);
    await expect(dump(source.database, ['node', 'nothing'])).rejects.toThrow(/no table nothing/);
  });
});
