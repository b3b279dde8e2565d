import { InvalidInput } from '../../../core/base/errors.ts';
import { eachDatabase } from '../../../tools/testing/databases.ts';
import { DatabaseError, DatabaseMisuse } from '../errors.ts';
import { inListSql, listBinding } from '../fragments.ts';
import { vectorOf, wordsOfVector } from '../postgres/vector.ts';
import type { ColumnKind, Database, IndexSpec, TableSpec } from '../types.ts';
import { make, type OpenTest, openTest, sql } from './support.ts';

const kinds: Exclude<ColumnKind, 'id'>[] = [
  'integer',
  'bigint',
  'float',
  'text',
  'boolean',
  'date',
  'datetime',
  'json',
  'words',
];

const things: TableSpec = {
  name: 'thing',
  columns: [{ name: 'id', kind: 'id' }, ...kinds.map((kind) => ({ name: `a_${kind}`, kind }))],
  indexes: [],
};

const search: IndexSpec = { name: 'article_fts', columns: ['words', 'more'], using: 'fulltext' };
const articles: TableSpec = {
  name: 'article',
  columns: [
    { name: 'id', kind: 'id' },
    { name: 'title', kind: 'text' },
    { name: 'words', kind: 'words' },
    { name: 'more', kind: 'words' },
  ],
  indexes: [search, { name: 'article_like', columns: ['title'], using: 'trgm' }],
};

eachDatabase('A value', (dialect) => {
  let test_: OpenTest;
  let database: Database;
  beforeAll(async () => {
    test_ = await openTest(dialect);
    ({ database } = test_);
    await make(database, things, articles);
  });
  afterAll(() => test_.close());

  /** Through the codec into the table and back. */
  async function kept(kind: Exclude<ColumnKind, 'id'>, value: unknown): Promise<unknown> {
    const bound = database.codec.encode(kind, value);
    const [row] = await database.write((transaction) =>
      sql(transaction, `insert into thing (a_${kind}) values (?) returning a_${kind} as raw`, bound),
    );
    const decoder = database.codec.decoder(kind);
    expect(decoder ? decoder(row?.raw) : row?.raw).toEqual(database.codec.decode(kind, row?.raw));
    return database.codec.decode(kind, row?.raw);
  }

  test.each<[Exclude<ColumnKind, 'id'>, unknown[]]>([
    ['integer', [0, 1, -1, 2_147_483_647, -2_147_483_648]],
    ['bigint', [0, 2_147_483_648, Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER]],
    ['float', [0, 0.1, -1e-300, 1.7976931348623157e308, 12]],
    ['text', ['', "it's", '“é” 🏟', '12', '2024-01-01', 'a\nb\\c', '%_?$1']],
    ['boolean', [true, false]],
    ['date', ['2024-02-29', '0001-01-01', '9999-12-31', '1904-05-21']],
    [
      'datetime',
      [
        new Date(0),
        new Date('2024-02-29T23:59:59.999Z'),
        new Date('0001-01-01T00:00:00Z'),
        new Date('9999-12-31T23:59:59.999Z'),
        new Date('1899-12-31T12:00:00.001Z'),
      ],
    ],
    ['json', [{ a: [1, 'é', null, { b: false }] }, [], 'text', '12', 12, 0.5, true, '\\u0000 is only text']],
    ['words', ['', "one it's one a\\b two"]],
  ])('of kind %s comes back as it was', async (kind, values) => {
    for (const value of values) expect(await kept(kind, value)).toEqual(value);
    expect(await kept(kind, null)).toBeNull();
  });

  test.each<[ColumnKind, unknown[]]>([
    ['id', [1.5, '1', 2 ** 53]],
    ['integer', [2_147_483_648, 1.5, '1', Number.NaN, true, undefined, {}]],
    ['bigint', [2 ** 53, 1.5, '1', 2n ** 60n]],
    ['float', [Number.NaN, Number.POSITIVE_INFINITY, '1.5']],
    ['text', [1, 'NUL \0', undefined, ['a']]],
    ['boolean', [0, 'true', undefined]],
    ['date', ['2024-02-30', '2024-1-1', '0000-01-01', new Date(), 20240101]],
    ['datetime', ['2024-01-01', new Date(Number.NaN), new Date('+010000-01-01T00:00:00Z'), 0]],
    ['json', [undefined, () => 1, { a: '\0' }, ['\ud800']]],
  ])('that no %s column can hold on both databases is refused as bad input', (kind, values) => {
    for (const value of values) expect(() => database.codec.encode(kind, value)).toThrow(InvalidInput);
  });

  test('is compared and sorted alike on both databases', async () => {
    const texts = ['b', 'B', 'a', 'é', 'z', 'Z', '_', '1', 'a b', 'aa'];
    await database.write(async (transaction) => {
      await sql(transaction, 'delete from article');
      for (const text of texts) await sql(transaction, 'insert into article (title) values (?)', text);
    });
    const rows = await sql(database.reader, 'select title from article order by title');
    expect(rows.map((row) => row.title)).toEqual(['1', 'B', 'Z', '_', 'a', 'a b', 'aa', 'b', 'z', 'é']);
    const moments = [5, 3, 4].map((second) => new Date(Date.UTC(2024, 0, 1, 0, 0, second)));
    await database.write(async (transaction) => {
      for (const moment of moments) await sql(transaction, 'insert into thing (a_datetime) values (?)', moment);
    });
    const found = await sql(
      database.reader,
      'select a_datetime as at from thing where a_datetime between ? and ? order by a_datetime',
      moments[1],
      moments[2],
    );
    expect(found.map((row) => database.codec.decode('datetime', row.at))).toEqual([moments[1], moments[2]]);
    await database.write((transaction) => sql(transaction, 'delete from article'));
  });

  test('that no driver should see is refused before it runs', async () => {
    for (const value of [undefined, Number.NaN, {}, Symbol('x'), new Date(Number.NaN), 2n ** 60n, new Map()]) {
      await expect(sql(database.reader, 'select ? as x', value)).rejects.toThrow(DatabaseMisuse);
    }
    await expect(sql(database.reader, 'select nothing from nowhere')).rejects.toThrow(DatabaseError);
    await expect(sql(database.reader, 'select nothing from nowhere')).rejects.toThrow(
      /\(in: select nothing from nowhere\)/,
    );
  });

  test('too large to be exact is refused when a sum gives it', async () => {
    const add = 'insert into thing (a_bigint) values (9007199254740991), (9007199254740991)';
    await database.write(async (transaction) => {
      await sql(transaction, 'delete from thing');
      await sql(transaction, add);
      const [one] = await sql(transaction, 'select sum(a_bigint) / 2 as n from thing');
      expect(Number(one?.n)).toBe(Number.MAX_SAFE_INTEGER);
    });
    if (dialect === 'postgres')
      await expect(sql(database.reader, 'select sum(a_bigint) as n from thing')).rejects.toThrow(/too large/);
  });

  test('is found in lists of any length with one statement', async () => {
    await database.write(async (transaction) => {
      await sql(transaction, 'delete from article');
      for (const title of ['a', "b'c", 'd']) await sql(transaction, 'insert into article (title) values (?)', title);
    });
    const among = async (kind: 'id' | 'text', column: string, values: unknown[]) => {
      const query = database
        .knex('article')
        .select('title')
        .whereRaw(inListSql(dialect, `"${column}"`, kind), [listBinding(dialect, values as string[])])
        .orderBy('id');
      const native = query.toSQL().toNative();
      return { text: native.sql, titles: (await database.reader.query(native)).rows.map((row) => row.title) };
    };
    const some = await among('text', 'title', ['d', "b'c", 'x']);
    expect(some.titles).toEqual(["b'c", 'd']);
    const none = await among('text', 'title', []);
    expect(none).toEqual({ text: some.text, titles: [] });
    const ids = (await sql(database.reader, 'select id from article order by id')).map((row) => row.id);
    expect((await among('id', 'id', [ids[0], ids[2], 99_999])).titles).toEqual(['a', 'd']);
  });

  describe('searched for', () => {
    const write = (text: string, ...values: unknown[]) =>
      database.write((transaction) => sql(transaction, text, ...values));
    const found = async (word: string) => {
      const where =
        dialect === 'sqlite'
          ? 'id in (select rowid from article_fts where article_fts match ?)'
          : 'words @@ ?::tsquery or more @@ ?::tsquery';
      const asked = dialect === 'sqlite' ? [`"${word}"*`] : [`'${word}':*`, `'${word}':*`];
      return (await sql(database.reader, `select title from article where ${where} order by id`, ...asked)).map(
        (row) => row.title,
      );
    };

    test('is found by the beginning of its words, as they are now and not as they were', async () => {
      const words = (text: string) => database.codec.encode('words', text);
      await write('delete from article');
      const insert = 'insert into article (title, words, more) values (?, ?, ?)';
      await write(insert, 'fish', words('peche a la ligne'), words('12 5 kg e mail'));
      await write(insert, 'garden', words('le potager'), words('la peche est un fruit'));
      expect([await found('pech'), await found('12'), await found('kilo')]).toEqual([['fish', 'garden'], ['fish'], []]);
      await write('update article set words = ? where title = ?', words('la rose'), 'fish');
      expect([await found('pech'), await found('rose')]).toEqual([['garden'], ['fish']]);
      await write('delete from article where title = ?', 'fish');
      expect(await found('rose')).toEqual([]);
    });
  });
});

describe('The words of a text on PostgreSQL', () => {
  test('are read back in their order, without what only syntax would make of them', () => {
    for (const words of ['a b a c', "it's a \\ b", '', 'élan 漢字 x'.repeat(2)]) {
      expect(wordsOfVector(vectorOf(words))).toBe(words);
    }
    expect(vectorOf('b a b')).toBe("'b':1,3 'a':2");
  });

  test('keep within what a vector may hold', () => {
    const vector = vectorOf('x '.repeat(20_000));
    expect(vector.split(',')).toHaveLength(255);
    expect(vectorOf(`${'y '.repeat(20_000)}z`)).toMatch(/'z':16383$/);
  });
});
