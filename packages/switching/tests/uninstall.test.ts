import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Ctx } from '../../../core/context/context.ts';
import type { Plan } from '../../../core/kernel/plan.ts';
import { inEnglish } from '../../../core/kernel/sentence.ts';
import { createTestDatabase, eachDatabase, type TestDatabase } from '../../../tools/testing/databases.ts';
import { Attached, Author, Book } from '../../../tools/testing/fixtures/fx_host/models.ts';
import { rowsOf } from '../../db/run.ts';
import { databaseSession } from '../../db/session.ts';
import { type Node, openNode } from './harness.ts';

const sentences = (plan: Plan): string[] => plan.items.map(({ sentence }) => inEnglish(sentence));

/** What people lose with it: by the names they know, and nothing for what is empty, worked out from others or as it was made. */
const losses: readonly string[] = [
  'Deletes the field “Shelf” from 1 record of “Book”.',
  'Deletes the field “Token” from 5 records of “Book”.',
  'Deletes the field “Tag” from 1 record of “Book”.',
  'Deletes 1 record of “Loan”.',
  'Deletes 32 records of “Shelf”.',
  'Changes “State” from “Lent” to “Out” in records of “Book”: 1.',
  'Clears “State” (now “Lost”) in records of “Book”: 1.',
  'Deletes 2 shipped records of “Author”, unless they’re in use.',
  'Deletes 2 shipped records of “Book”, unless they’re in use.',
  'Deletes 1 record of “Attached” linked to deleted data.',
  'Deletes 3 more fields and record types, which are empty.',
];

eachDatabase('An addon that extends the models of another', (dialect) => {
  let made: TestDatabase;
  let node: Node;

  beforeEach(async () => {
    made = await createTestDatabase(dialect);
    node = await openNode(made.url);
    await node.lifecycle.start({ install: ['fx_host'] });
  });
  afterEach(async () => {
    await node.close();
    await made.drop();
  });

  const table = async (name: string): Promise<readonly Record<string, unknown>[]> =>
    rowsOf(node.database.reader, node.database.knex(name).select().orderBy('id'));
  const bookNames = (ctx: Ctx) => ctx.model(Book).find([], { select: { name: true }, order: 'id' });

  test('leaves the schema as it was before it came, and only its own rows go', async () => {
    const before = {
      schema: await node.database.schema.describe(),
      authors: await table('fx_author'),
      books: await table('fx_book'),
    };
    const coming = await node.lifecycle.enable(['fx_shared_columns'], { demo: true });
    expect(sentences(coming)).toEqual(
      expect.arrayContaining([
        'New record types: Shelf, Loan.',
        'New fields of “Book”: Tag, Shelf, Isbn, Token, Rating, Thickness.',
        'New fields of “Author”: Born.',
      ]),
    );
    await node.finish();
    await node.finish();
    const ids = await node.write(async (ctx) => {
      const hugo = await ctx.ref('fx_shared_columns.hugo');
      const mine = await ctx.model(Book).create({ name: 'Notre-Dame', author_id: hugo });
      const other = await ctx.model(Book).create({ name: 'La Mare au diable' });
      await rowsOf(ctxTransaction(ctx), node.database.knex('fx_book').where({ id: mine }).update({ state: 'lent' }));
      await rowsOf(ctxTransaction(ctx), node.database.knex('fx_book').where({ id: other }).update({ state: 'lost' }));
      const shelf = await ctx.ref('fx_shared_columns.first');
      await ctx.model(Attached).create({ name: 'label', res_model: 'fx.shelf', res_id: shelf });
      await ctx.model(Attached).create({ name: 'cover', res_model: 'fx.book', res_id: mine });
      return { mine, other, hugo };
    });

    const plan = await node.lifecycle.plan('uninstall', ['fx_shared_columns']);
    expect(plan).toMatchObject({ confirm: 'fx_shared_columns', problems: [] });
    expect(sentences(plan)).toEqual(losses);
    expect(plan.items.map(({ data }) => data)).toEqual(
      expect.arrayContaining([
        { table: 'fx_book', column: 'shelf_id', rows: 1, model: 'fx.book' },
        { count: 3, tables: [], columns: ['fx_author.born', 'fx_book.isbn', 'fx_book.rating'] },
      ]),
    );
    await expect(node.lifecycle.uninstall('fx_shared_columns', { confirm: 'fx_host' })).rejects.toMatchObject({
      code: 'core.confirm_uninstall',
    });
    await node.lifecycle.uninstall('fx_shared_columns', { confirm: 'fx_shared_columns', by: 'admin' });

    expect(await node.database.schema.describe()).toEqual(before.schema);
    const authors = await node.read((ctx) => ctx.model(Author).find([], { select: { name: true }, order: 'id' }));
    // Victor Hugo has a book of somebody else now: he stays.
    expect(authors.map(({ name }) => name)).toEqual(['Jules Verne', 'George Sand', 'Victor Hugo']);
    expect((await node.read(bookNames)).map(({ name }) => name)).toEqual([
      'Around the Moon',
      'Notre-Dame',
      'La Mare au diable',
    ]);
    const books = await table('fx_book');
    expect(books.find(({ id }) => id === ids.mine)).toMatchObject({ state: 'out' });
    expect(books.find(({ id }) => id === ids.other)).toMatchObject({ state: null });
    expect((await table('fx_attached')).map(({ name }) => name)).toEqual(['cover']);
    for (const kept of ['core_ownership', 'core_external_id']) {
      expect((await table(kept)).filter(({ addon }) => addon === 'fx_shared_columns')).toEqual([]);
    }
    expect(await table('core_addon_task')).toEqual([]);
    const [archive = ''] = readdirSync(join(node.config.dataDir, 'archives'));
    const lines = readFileSync(join(node.config.dataDir, 'archives', archive, 'tables.jsonl'), 'utf8');
    expect(lines).toMatch(/"table":"fx_shelf"/);
    expect(lines.trim().split('\n').at(-1)).toMatch(/^\{"done":\d+\}$/);
    expect(readFileSync(join(node.config.dataDir, 'archives', archive, 'shared.jsonl'), 'utf8')).toMatch(
      /"table":"fx_book","id":\d+,"values":\{.*"state":"lent"/,
    );
    expect((await node.lifecycle.list()).find(({ name }) => name === 'fx_shared_columns')).toMatchObject({
      state: 'uninstalled',
      version: null,
      changedBy: 'admin',
    });

    // And it can come again, as if it had never been there.
    await node.lifecycle.enable(['fx_shared_columns'], { demo: false });
    await node.lifecycle.uninstall('fx_shared_columns', { confirm: 'fx_shared_columns' });
    expect(await node.database.schema.describe()).toEqual(before.schema);
  });

  test('leaves the same schema when both came at once, at the first start', async () => {
    const alone = await node.database.schema.describe();
    const both = await createTestDatabase(dialect);
    const other = await openNode(both.url);
    try {
      await other.lifecycle.start({ install: ['fx_shared_columns'] });
      await other.lifecycle.uninstall('fx_shared_columns', { confirm: 'fx_shared_columns' });
      expect(await other.database.schema.describe()).toEqual(alone);
    } finally {
      await other.close();
      await both.drop();
    }
  });

  test('is taken out of the database when its code is no longer on disk', async () => {
    const before = await node.database.schema.describe();
    await node.lifecycle.enable(['fx_shared_columns'], { demo: false });
    await node.lifecycle.disable(['fx_shared_columns']);
    await node.close();
    const hostOnly = join(import.meta.dirname, '../../../tools/testing/fixtures/fx_host');
    node = await openNode(made.url, { roots: [hostOnly] });
    await node.lifecycle.start();
    await node.lifecycle.uninstall('fx_shared_columns', { confirm: 'fx_shared_columns' });
    expect(await node.database.schema.describe()).toEqual(before);
    await node.close();
    node = await openNode(made.url);
    await node.lifecycle.start();
    expect(node.lifecycle.leftOut.size).toBe(0);
  });
});

function ctxTransaction(ctx: Ctx) {
  const { transaction } = ctx.get(databaseSession);
  if (!transaction) throw new Error('no transaction');
  return transaction;
}
