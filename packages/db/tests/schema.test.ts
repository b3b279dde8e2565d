import { eachDatabase } from '../../../tools/testing/databases.ts';
import { ForeignKeyViolation, UniqueViolation } from '../errors.ts';
import { textIn } from '../fragments.ts';
import type { Database, SchemaStep, TableSpec } from '../types.ts';
import { make, type OpenTest, openTest, player, playerTags, seats, sql, team } from './support.ts';

async function plan(database: Database, ...wanted: TableSpec[]) {
  return database.schema.plan(wanted, await database.schema.introspect());
}

eachDatabase('The schema', (dialect) => {
  let test_: OpenTest;
  let database: Database;
  beforeEach(async () => {
    test_ = await openTest(dialect);
    ({ database } = test_);
  });
  afterEach(() => test_.close());
  const apply = (steps: readonly SchemaStep[]) =>
    database.write((transaction) => database.schema.apply(transaction, steps));

  test('is read back as it was asked for, with tables that point at each other', async () => {
    await make(database, team, player, playerTags);
    const [first, ...others] = await database.schema.introspect();
    expect([first, ...others].map((table) => table?.name)).toEqual(['player', 'player_tag', 'team']);
    expect(others[0]).toEqual(playerTags);
    expect(first).toEqual(player);
    const { columns } = others[1] ?? { columns: [] };
    expect(columns.map((column) => [column.name, column.kind])).toEqual(
      team.columns.map(({ name, kind }) => [name, kind]),
    );
    expect(columns.map((column) => column.default)).toEqual([
      undefined,
      "l'équipe",
      undefined,
      12,
      -0.5,
      true,
      '1904-05-21',
      '2024-02-29T12:30:00.250Z',
      '{"a":[1]}',
      undefined,
    ]);
  });

  test('needs nothing more once it was applied', async () => {
    await make(database, team, player, playerTags, seats);
    expect(await plan(database, team, player, playerTags, seats)).toEqual({ steps: [], problems: [] });
  });

  test('fills in the defaults', async () => {
    await make(database, team, player);
    await database.write((transaction) => sql(transaction, 'insert into team (search) values (?)', 'x'));
    const [row] = await sql(database.reader, 'select * from team');
    const read = Object.fromEntries(
      team.columns.map(({ name, kind }) => [name, database.codec.decode(kind, row?.[name])]),
    );
    expect(read).toEqual({
      id: 1,
      name: "l'équipe",
      captain_id: null,
      budget: 12,
      share: -0.5,
      active: true,
      founded: '1904-05-21',
      seen_at: new Date('2024-02-29T12:30:00.250Z'),
      options: { a: [1] },
      search: 'x',
      words: null,
      more: null,
    });
  });

  test('gets only what is missing, and says for each step whether others use the table', async () => {
    await make(database, { ...seats, indexes: [] });
    const wanted: TableSpec = {
      ...seats,
      columns: [
        ...seats.columns,
        { name: 'note', kind: 'text' },
        { name: 'team_id', kind: 'bigint', references: { table: 'player', onDelete: 'set null' } },
      ],
    };
    const { steps, problems } = await plan(database, wanted, player, { ...team, indexes: [] });
    expect(problems).toEqual([]);
    expect(steps.map((step) => [step.type, 'shared' in step && step.shared])).toEqual([
      ['createTable', false],
      ['createTable', false],
      ['addColumn', false],
      ['addColumn', false],
      ['createIndex', true],
    ]);
    await apply(JSON.parse(JSON.stringify(steps)));
    expect((await plan(database, wanted, player)).steps).toEqual([]);
  });

  test('makes a column that needs a value nullable when the table is there already, and says so', async () => {
    await make(database, seats);
    await database.write((transaction) => sql(transaction, "insert into seat (name) values ('a')"));
    const wanted: TableSpec = {
      ...seats,
      columns: [
        ...seats.columns,
        { name: 'zone', kind: 'text', notNull: true },
        { name: 'open', kind: 'boolean', notNull: true, default: true },
        {
          name: 'next_id',
          kind: 'bigint',
          notNull: true,
          default: 1,
          references: { table: 'seat', onDelete: 'set null' },
        },
      ],
    };
    const { steps, problems } = await plan(database, wanted);
    expect(problems.map(({ level, column }) => [level, column])).toEqual([
      ['note', 'zone'],
      ['note', 'next_id'],
    ]);
    await apply(steps);
    const [row] = await sql(database.reader, 'select zone, open, next_id from seat');
    expect([row?.zone, database.codec.decode('boolean', row?.open), row?.next_id]).toEqual([null, true, null]);
    expect((await plan(database, wanted)).steps).toEqual([]);
  });

  test('reports what adding cannot do', async () => {
    await make(database, { ...seats, columns: [...seats.columns, { name: 'strict', kind: 'text', notNull: true }] });
    const { steps, problems } = await plan(database, {
      name: 'seat',
      columns: [
        { name: 'id', kind: 'id' },
        { name: 'name', kind: 'text' },
        { name: 'taken', kind: 'text' },
        { name: 'Bad Name', kind: 'text' },
      ],
      indexes: seats.indexes,
    });
    expect(problems.map(({ level, column, message }) => `${level} ${column}: ${message.slice(0, 40)}`)).toEqual([
      'error Bad Name: “Bad Name” cannot be a name in the datab',
      'error name: The column needs a value in the database',
      'error taken: The column is integer in the database an',
      'error strict: The column needs a value and nobody fill',
    ]);
    expect(steps.filter((step) => step.type !== 'addColumn')).toEqual([]);
  });

  test('changes what a deletion does to rows and links that refer to the deleted one', async () => {
    const links: TableSpec = {
      name: 'team_rival',
      columns: [
        { name: 'team_id', kind: 'bigint', notNull: true, references: { table: 'team', onDelete: 'cascade' } },
        { name: 'rival_id', kind: 'bigint', notNull: true, references: { table: 'team', onDelete: 'cascade' } },
      ],
      indexes: [{ name: 'team_rival_idx', columns: ['rival_id'] }],
      primaryKey: ['team_id', 'rival_id'],
    };
    const onDelete = (table: TableSpec, name: string): TableSpec => ({
      ...table,
      columns: table.columns.map((column) =>
        column.name === name && column.references
          ? { ...column, references: { ...column.references, onDelete: 'restrict' } }
          : column,
      ),
    });
    await make(database, team, player, links);
    await database.write(async (transaction) => {
      await sql(transaction, "insert into team (name) values ('a'), ('b'), ('c')");
      await sql(transaction, 'insert into player (team_id) values (1), (1)');
      await sql(transaction, 'update team set captain_id = 1 where id = 2');
      await sql(transaction, 'insert into team_rival (team_id, rival_id) values (2, 3)');
    });
    const wanted = [onDelete(team, 'captain_id'), player, onDelete(links, 'rival_id')];
    const { steps, problems } = await plan(database, ...wanted);
    expect(problems).toEqual([]);
    expect(steps.map(({ type }) => type)).toEqual(['changeReference', 'changeReference']);
    await apply(JSON.parse(JSON.stringify(steps)));
    expect(await plan(database, ...wanted)).toEqual({ steps: [], problems: [] });
    expect(await sql(database.reader, 'select team_id, rival_id from team_rival')).toEqual([
      { team_id: 2, rival_id: 3 },
    ]);
    expect(await sql(database.reader, 'select id, captain_id from team order by id')).toEqual([
      { id: 1, captain_id: null },
      { id: 2, captain_id: 1 },
      { id: 3, captain_id: null },
    ]);
    const remove = (text: string) => database.write((transaction) => sql(transaction, text));
    await expect(remove('delete from player where id = 1')).rejects.toThrow(ForeignKeyViolation);
    await expect(remove('delete from team where id = 3')).rejects.toThrow(ForeignKeyViolation);
    await remove('delete from team where id = 2');
    expect(await sql(database.reader, 'select * from team_rival')).toEqual([]);
  });

  test('leaves a reference that needs a value to a migration', async () => {
    await make(database, team, player);
    const needed: TableSpec = {
      ...player,
      columns: player.columns.map((column) =>
        column.name === 'team_id' ? { ...column, references: { table: 'team', onDelete: 'restrict' } } : column,
      ),
    };
    const { steps, problems } = await plan(database, team, needed);
    expect(steps).toEqual([]);
    expect(problems.map(({ message }) => message)).toEqual([expect.stringContaining('only a migration can change it')]);
  });

  test('takes no name twice', async () => {
    const { problems } = await plan(database, seats, {
      ...player,
      indexes: [{ name: 'seat_name', columns: ['team_id'] }],
    });
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringContaining('seat_name is taken by the table seat'),
    ]);
  });

  test('makes an index anew when it is wanted otherwise', async () => {
    await make(database, seats);
    const wanted: TableSpec = { ...seats, indexes: [{ name: 'seat_name', columns: ['name', 'taken'] }] };
    await make(database, wanted);
    expect((await database.schema.introspect())[0]?.indexes).toEqual(wanted.indexes);
  });

  test('indexes a text by the language that is read, and reads off that index in its order', async () => {
    const labels: TableSpec = {
      name: 'label',
      columns: [
        { name: 'id', kind: 'id' },
        { name: 'text', kind: 'json' },
        { name: 'shown', kind: 'boolean', notNull: true, default: false },
      ],
      indexes: ['en_US', 'fr_FR'].map((lang) => ({
        name: `label_${lang.toLowerCase()}`,
        columns: ['shown', 'text', 'id'],
        text: { column: 'text', languages: lang === 'en_US' ? ['en_US', 'fr_FR'] : ['fr_FR', 'en_US'] },
      })),
    };
    await make(database, labels);
    expect(await plan(database, labels)).toEqual({ steps: [], problems: [] });
    expect((await database.schema.introspect())[0]?.indexes).toEqual(labels.indexes);
    const order = textIn(dialect, '"text"', ['fr_FR', 'en_US']);
    const nulls = dialect === 'postgres' ? ' nulls first' : '';
    const query = `select "id" from "label" where "shown" order by ${order}${nulls}, "id" limit 5`;
    const how = dialect === 'postgres' ? 'explain' : 'explain query plan';
    await database.write(async (transaction) => {
      if (dialect === 'postgres') await sql(transaction, 'set local enable_seqscan = off');
      const rows = await sql(
        transaction,
        `${how} ${dialect === 'postgres' ? query : query.replace('"shown"', '"shown" = 1')}`,
      );
      const found = JSON.stringify(rows);
      expect(found).toContain('label_fr_fr');
      expect(found).not.toMatch(/Sort|TEMP B-TREE/);
    });
  });

  test('names table and columns when a unique index meets rows that are alike', async () => {
    await make(database, { ...seats, indexes: [] });
    await database.write((transaction) => sql(transaction, "insert into seat (name) values ('a'), ('a')"));
    const adding = make(database, seats);
    await expect(adding).rejects.toThrow(UniqueViolation);
    expect((await database.schema.introspect())[0]?.indexes).toEqual([]);
  });

  test('is exactly as before once an addon that was there has left, with all rows of others', async () => {
    await make(database, seats);
    await database.write((transaction) => sql(transaction, "insert into seat (name) values ('a'), ('b')"));
    const before = await database.schema.describe();
    const extended: TableSpec = {
      ...seats,
      columns: [
        ...seats.columns,
        { name: 'team_id', kind: 'bigint', references: { table: 'team', onDelete: 'cascade' } },
        { name: 'zone', kind: 'text', notNull: true, default: 'x' },
        { name: 'words', kind: 'words' },
      ],
      indexes: [
        ...seats.indexes,
        { name: 'seat_team', columns: ['team_id', 'zone'], where: 'team_id > 0' },
        { name: 'seat_fts', columns: ['words'], using: 'fulltext' },
      ],
    };
    await make(database, extended, team, player, playerTags);
    await database.write(async (transaction) => {
      await sql(transaction, 'insert into team (id) values (1)');
      await sql(transaction, 'insert into player (id, team_id, mentor_id) values (1, 1, 1)');
      await sql(transaction, 'update team set captain_id = 1');
      await sql(transaction, 'update seat set team_id = 1');
      await sql(transaction, "insert into player_tag values (1, 'fast')");
    });
    expect(await database.schema.describe()).not.toEqual(before);
    await apply([
      ...['words', 'zone', 'team_id'].map((column) => ({ type: 'dropColumn', table: 'seat', column }) as const),
      ...['team', 'player', 'player_tag'].map((table) => ({ type: 'dropTable', table }) as const),
    ]);
    expect(await database.schema.describe()).toEqual(before);
    expect(await sql(database.reader, 'select id, name, taken from seat order by id')).toEqual([
      { id: 1, name: 'a', taken: 0 },
      { id: 2, name: 'b', taken: 0 },
    ]);
  });

  test('lets tables go that hold each other', async () => {
    const pair = (name: string, other: string): TableSpec => ({
      name,
      columns: [
        { name: 'id', kind: 'id' },
        { name: 'other_id', kind: 'bigint', references: { table: other, onDelete: 'restrict' } },
      ],
      indexes: [],
    });
    const before = await database.schema.describe();
    await make(database, pair('hen', 'egg'), pair('egg', 'hen'));
    await database.write(async (transaction) => {
      await sql(transaction, 'insert into hen (id) values (1)');
      await sql(transaction, 'insert into egg (id, other_id) values (1, 1)');
      await sql(transaction, 'update hen set other_id = 1');
    });
    await apply(['hen', 'egg'].map((table) => ({ type: 'dropTable', table }) as const));
    expect(await database.schema.describe()).toEqual(before);
  });

  test('keeps search and rows together when rows go with the rows they belong to', async () => {
    await make(database, {
      name: 'branch',
      columns: [
        { name: 'id', kind: 'id' },
        { name: 'parent_id', kind: 'bigint', references: { table: 'branch', onDelete: 'cascade' } },
        { name: 'words', kind: 'words' },
      ],
      indexes: [{ name: 'branch_fts', columns: ['words'], using: 'fulltext' }],
    });
    await database.write(async (transaction) => {
      for (let i = 1; i < 6; i += 1) {
        await sql(
          transaction,
          'insert into branch (parent_id, words) values (?, ?)',
          i === 1 ? null : i - 1,
          database.codec.encode('words', `twig ${i}`),
        );
      }
      await sql(transaction, 'delete from branch where id = 2');
      if (dialect === 'sqlite')
        await sql(transaction, "insert into branch_fts (branch_fts, rank) values ('integrity-check', 1)");
    });
    const found =
      dialect === 'sqlite'
        ? "select rowid as id from branch_fts where branch_fts match 'twig'"
        : "select id from branch where words @@ 'twig'::tsquery";
    expect(await sql(database.reader, found)).toEqual([{ id: 1 }]);
  });

  test('is left alone when one of the steps fails', async () => {
    await make(database, seats);
    const before = await database.schema.describe();
    const { steps } = await plan(database, team, player, {
      ...seats,
      columns: [...seats.columns, { name: 'x', kind: 'text' }],
    });
    await expect(apply([...steps, { type: 'dropColumn', table: 'seat', column: 'nothing' }])).rejects.toThrow(
      /nothing/,
    );
    expect(await database.schema.describe()).toEqual(before);
  });

  test('gets indexes outside a transaction, and may be asked again', async () => {
    await make(database, {
      ...seats,
      columns: [...seats.columns, { name: 'words', kind: 'words' }],
      indexes: [],
    });
    const { steps } = await plan(database, {
      ...seats,
      columns: [...seats.columns, { name: 'words', kind: 'words' }],
      indexes: [...seats.indexes, { name: 'seat_fts', columns: ['words'], using: 'fulltext' }],
    });
    await database.schema.applyOutside(steps);
    await database.schema.applyOutside(steps);
    expect((await database.schema.introspect())[0]?.indexes.map((index) => index.name).sort()).toEqual([
      'seat_fts',
      'seat_name',
    ]);
    await database.schema.applyOutside([{ type: 'dropIndex', table: 'seat', index: 'seat_name' }]);
    expect((await database.schema.introspect())[0]?.indexes.map((index) => index.name)).toEqual(['seat_fts']);
  });
});
