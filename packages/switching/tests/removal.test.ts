import { createLog } from '../../../core/base/log.ts';
import { createTestDatabase, eachDatabase } from '../../../tools/testing/databases.ts';
import { openDatabase } from '../../db/open.ts';
import type { ColumnSpec, TableSpec } from '../../db/types.ts';
import { dropOrder } from '../removal.ts';

const to = (name: string, table: string): ColumnSpec => ({
  name,
  kind: 'bigint',
  references: { table, onDelete: 'cascade' },
});
const table = (name: string, ...columns: ColumnSpec[]): TableSpec => ({
  name,
  columns: [{ name: 'id', kind: 'id' }, ...columns],
  indexes: [],
});

const tables = [
  table('site', to('home_id', 'page'), to('theme_id', 'theme')),
  table('page', to('site_id', 'site'), to('parent_id', 'page')),
  table('menu', to('site_id', 'site'), to('page_id', 'page'), to('entry_id', 'entry')),
  table('entry', to('menu_id', 'menu')),
  table('theme'),
];

eachDatabase('Tables that refer to each other', (dialect) => {
  test('can be dropped in the order worked out for them, full of rows and in circles', async () => {
    const made = await createTestDatabase(dialect);
    const database = await openDatabase({ url: made.url, log: createLog('silent'), patience: 20 });
    const { schema, knex } = database;
    await database.write((transaction) => schema.apply(transaction, schema.plan(tables, []).steps));
    await database.write(async (transaction) => {
      const run = (query: { toSQL(): { toNative(): { sql: string; bindings: readonly unknown[] } } }) =>
        transaction.query(query.toSQL().toNative());
      await run(knex('theme').insert({}));
      await run(knex('site').insert({ theme_id: 1 }));
      await run(knex('page').insert({ site_id: 1 }));
      await run(knex('page').insert({ site_id: 1, parent_id: 1 }));
      await run(knex('site').update({ home_id: 2 }));
      await run(knex('menu').insert({ site_id: 1, page_id: 2 }));
      await run(knex('entry').insert({ menu_id: 1 }));
      await run(knex('menu').update({ entry_id: 1 }));
    });
    const { order, cuts } = dropOrder(await schema.introspect());
    expect(order.indexOf('site')).toBeLessThan(order.indexOf('theme'));
    await database.write((transaction) =>
      schema.apply(transaction, [...cuts, ...order.map((name) => ({ type: 'dropTable', table: name }) as const)]),
    );
    expect(await schema.introspect()).toEqual([]);
    await database.close();
    await made.drop();
  });
});
