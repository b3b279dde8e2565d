import { createTestDatabase, eachDatabase, type TestDatabase } from '../../../tools/testing/databases.ts';
import { Author, Book } from '../../../tools/testing/fixtures/fx_host/models.ts';
import { SharedBook, Shelf } from '../../../tools/testing/fixtures/fx_shared_columns/models.ts';
import { rowsOf } from '../../db/run.ts';
import { models } from '../../orm/points.ts';
import { type Node, openNode } from './harness.ts';

const SHARED = 'fx_shared_columns';

eachDatabase('Rows that were there before an addon', (dialect) => {
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
  const books = async (): Promise<Record<string, unknown>[]> => [
    ...(await rowsOf(node.database.reader, node.database.knex('fx_book').select().orderBy('id'))),
  ];
  const makeBooks = (count: number): Promise<unknown> =>
    node.write((ctx) =>
      ctx.model(Book).create(Array.from({ length: count }, (_, at) => ({ name: `Book ${at}`, pages: at }))),
    );
  const readBooks = (): Promise<Record<string, unknown>[]> =>
    node.read((ctx) =>
      ctx.modelNamed('fx.book').find([], { select: { thickness: true, rating: true }, order: 'id' }),
    ) as Promise<Record<string, unknown>[]>;

  test('get its values in small batches afterwards; until then they are worked out on reading', async () => {
    await makeBooks(120);
    await node.lifecycle.enable([SHARED], { demo: false });
    expect(node.holder.current.get(models).pendingFields).toEqual(new Set(['fx.book.thickness']));
    expect((await readBooks())[50]).toMatchObject({ thickness: 4.9, rating: 3 });
    expect((await books())[50]).toMatchObject({ thickness: null, token: null });
    const number = node.holder.current.number;
    await node.finish();
    const filled = await books();
    expect(new Set(filled.map(({ token }) => token)).size).toBe(filled.length);
    expect(filled[50]).toMatchObject({ thickness: 4.9 });
    // The kept values are read from then on, in a generation of its own.
    expect(node.holder.current.number).toBe(number + 1);
    expect(node.holder.current.get(models).pendingFields.size).toBe(0);
    expect((await readBooks())[50]).toMatchObject({ thickness: 4.9 });
    const found = await node.read((ctx) => ctx.model(Book).search([['id', 'matches', 'Book 77']]));
    expect(found).toHaveLength(1);
    const sorted = await node.read((ctx) => ctx.model(Author).search([['city', 'ilike', 'nant']], { order: 'city' }));
    expect(sorted).toHaveLength(1);
  });

  test('keep theirs while it is off; those made meanwhile get its defaults when it is back', async () => {
    await node.lifecycle.enable([SHARED], { demo: false });
    await node.finish();
    const first = await node.write((ctx) =>
      ctx.model(SharedBook).create({ name: 'with', pages: 10, token: null, rating: 5 }),
    );
    await node.lifecycle.disable([SHARED]);
    await makeBooks(3);
    await node.write((ctx) => ctx.model(Book).write(first, { pages: 20 }));
    await node.lifecycle.enable([SHARED]);
    await node.finish();
    const rows = await books();
    expect(rows.find(({ id }) => id === first)).toMatchObject({ token: null, rating: 5, thickness: 2 });
    expect(rows.slice(-3).every(({ token, rating }) => typeof token === 'string' && Number(rating) === 3)).toBe(true);
    expect(rows.slice(-3).map(({ thickness }) => thickness)).toEqual([0, 0.1, 0.2]);
  });

  test('come with demo data that is loaded in parts, also where records name later ones', async () => {
    await node.lifecycle.enable([SHARED], { demo: true });
    expect(await node.read((ctx) => ctx.model(Shelf).count([]))).toBe(1);
    await node.finish();
    expect(await node.read((ctx) => ctx.model(Shelf).count([]))).toBe(32);
    expect(await node.read((ctx) => ctx.ref('fx_shared_columns.demo_a'))).toEqual(expect.any(Number));
    expect(await rowsOf(node.database.reader, node.database.knex('core_addon_task').select())).toEqual([]);
  });

  test('bring demo data that was saved since, of the same version, and leave alone what is there', async () => {
    await node.lifecycle.enable([SHARED], { demo: true });
    await node.finish();
    const [a, late] = await node.read((ctx) =>
      Promise.all(['a', 'late'].map((one) => ctx.ref(`fx_shared_columns.demo_${one}`))),
    );
    // As if the first had just been written.
    await node.database.write((transaction) =>
      rowsOf(transaction, node.database.knex('core_external_id').where({ name: 'demo_a' }).delete()),
    );
    await node.lifecycle.refresh({ data: new Set([SHARED]), demo: new Set([SHARED]) });
    await node.finish();
    expect(await node.read((ctx) => ctx.ref('fx_shared_columns.demo_a'))).toBeGreaterThan(a ?? 0);
    expect(await node.read((ctx) => ctx.ref('fx_shared_columns.demo_late'))).toBe(late);
  });

  test('are looked after again from where a stopped run was', async () => {
    await makeBooks(200);
    await node.lifecycle.enable([SHARED], { demo: false });
    const stop = new AbortController();
    await node.finish({ signal: stop.signal, onWrite: (count) => count === 3 && stop.abort() });
    const half = (await books()).filter(({ token }) => token !== null).length;
    expect(half).toBeGreaterThan(1);
    expect(half).toBeLessThan(200);
    await node.finish();
    expect((await books()).filter(({ token }) => token === null)).toEqual([]);
  });
});
