import { f, model } from 'pergola';
import { WrongCode } from 'pergola/kernel';
import { type AnyModel, META, type RowMeta } from 'pergola/orm';
import { eachDatabase } from '../../../tools/testing/databases.ts';
import { createModelKit, type ModelKit, openToAll } from './kit.ts';

class Country extends model('shop.country', {
  name: f.char({ required: true }),
  code: f.char(),
  region_ids: f.one2many('shop.region', 'country_id', { order: 'capital' }),
}) {}
class Region extends model('shop.region', {
  country_id: f.many2one('shop.country', { ondelete: 'cascade' }),
  capital: f.char(),
}) {}
class Customer extends model('shop.customer', {
  name: f.char({ required: true }),
  country_id: f.many2one('shop.country'),
  parent_id: f.many2one('shop.customer'),
  child_ids: f.one2many('shop.customer', 'parent_id'),
  order_ids: f.one2many('shop.order', 'customer_id'),
  active: f.boolean({ default: true }),
}) {}
class Tag extends model('shop.tag', { name: f.char({ required: true, translate: true }) }, { order: 'name' }) {}
class Order extends model(
  'shop.order',
  {
    name: f.char({ required: true }),
    customer_id: f.many2one('shop.customer', { required: true }),
    line_ids: f.one2many('shop.line', 'order_id'),
    tag_ids: f.many2many('shop.tag', { empty: 'none' }),
    state: f.selection(['draft', 'sale'], { default: 'draft' }),
    currency_id: f.many2one('shop.country'),
    amount: f.money(),
    rate: f.decimal(),
    ordered: f.datetime(),
    due: f.date(),
    paid: f.boolean(),
    extra: f.json<{ a: number }>(),
  },
  { order: 'name desc' },
) {}
class Line extends model(
  'shop.line',
  {
    order_id: f.many2one('shop.order', { required: true, ondelete: 'cascade' }),
    qty: f.integer(),
    name: f.char(),
    ordered: f.datetime({ related: 'order_id.ordered' }),
    customer_id: f.many2one('shop.customer', { related: 'order_id.customer_id' }),
    customer_name: f.char({ related: 'customer_id.name' }),
    rate: f.decimal({ related: 'order_id.rate' }),
  },
  { order: 'qty desc', nameField: 'order_id' },
) {}
declare module 'pergola' {
  interface Models {
    'shop.country': Country;
    'shop.region': Region;
    'shop.customer': Customer;
    'shop.tag': Tag;
    'shop.order': Order;
    'shop.line': Line;
  }
}

const addons = openToAll([{ name: 'shop', models: [Country, Region, Customer, Tag, Order, Line] }]);

eachDatabase('Reading', (dialect) => {
  let kit: ModelKit;
  beforeAll(async () => {
    kit = await createModelKit(dialect, addons, { languages: ['en_US', 'fr_FR'] });
    const moment = dialect === 'sqlite' ? Date.UTC(2026, 10, 21, 10) : new Date(Date.UTC(2026, 10, 21, 10));
    await kit.insert('shop_country', { id: 1, name: 'Belgique', name__fold: 'belgique', code: 'BE' });
    await kit.insert(
      'shop_customer',
      { id: 1, name: 'Zoé', name__fold: 'zoe', country_id: 1, parent_id: null },
      { id: 2, name: 'Ann', name__fold: 'ann', country_id: null, parent_id: 1 },
      {
        id: 3,
        name: 'Gone',
        name__fold: 'gone',
        country_id: 1,
        parent_id: 1,
        active: dialect === 'sqlite' ? 0 : false,
      },
    );
    await kit.insert(
      'shop_tag',
      { id: 1, name: '{"en_US":"Fast","fr_FR":"Rapide"}', name__fold: '{"en_US":"fast","fr_FR":"rapide"}' },
      { id: 2, name: '{"en_US":"Big"}', name__fold: '{"en_US":"big"}' },
    );
    await kit.insert(
      'shop_order',
      {
        id: 1,
        name: 'S1',
        name__fold: 's1',
        customer_id: 1,
        currency_id: 1,
        state: 'sale',
        amount: 1250,
        rate: 1_500_000,
        ordered: moment,
        due: '2026-11-30',
        paid: dialect === 'sqlite' ? 1 : true,
        extra: '{"a":1}',
      },
      { id: 2, name: 'S2', name__fold: 's2', customer_id: 2 },
      { id: 3, name: 'S3', name__fold: 's3', customer_id: 2, amount: -5, rate: -1 },
    );
    await kit.insert(
      'shop_line',
      { id: 1, order_id: 1, qty: 1, name: 'a' },
      { id: 2, order_id: 1, qty: 5, name: 'b' },
      { id: 3, order_id: 2, qty: 2, name: 'c' },
    );
    await kit.insert(
      'shop_order__shop_tag__rel',
      { shop_order_id: 1, shop_tag_id: 1 },
      { shop_order_id: 1, shop_tag_id: 2 },
      { shop_order_id: 3, shop_tag_id: 1 },
    );
  });
  afterAll(() => kit.close());

  test('gives every kind of value as the field promises it', async () => {
    const row = await kit
      .ctx()
      .model(Order)
      .get(1, {
        select: {
          name: true,
          state: true,
          amount: true,
          rate: true,
          ordered: true,
          due: true,
          paid: true,
          extra: true,
          customer_id: true,
          tag_ids: true,
          line_ids: true,
        },
      });
    expect(row).toMatchObject({
      id: 1,
      name: 'S1',
      state: 'sale',
      amount: 1250,
      rate: '1.5',
      ordered: new Date('2026-11-21T10:00:00Z'),
      due: '2026-11-30',
      paid: true,
      extra: { a: 1 },
      customer_id: 1,
      tag_ids: [2, 1],
      line_ids: [2, 1],
    });
  });

  test('reads deeper levels with one query per relation and level, however many rows', async () => {
    kit.ran.length = 0;
    const rows = await kit
      .ctx()
      .model(Order)
      .find([], {
        select: {
          name: true,
          customer_id: { name: true, country_id: { code: true } },
          line_ids: { qty: true },
          tag_ids: { name: true },
        },
      });
    expect(kit.ran).toHaveLength(5);
    expect(rows.map(({ name }) => name)).toEqual(['S3', 'S2', 'S1']);
    expect(rows[2]).toMatchObject({
      customer_id: { id: 1, name: 'Zoé', country_id: { id: 1, code: 'BE' } },
      line_ids: [
        { id: 2, qty: 5 },
        { id: 1, qty: 1 },
      ],
      tag_ids: [
        { id: 2, name: 'Big' },
        { id: 1, name: 'Fast' },
      ],
    });
    expect(rows[1]?.customer_id?.country_id).toBeNull();
    expect(rows[0]?.line_ids).toEqual([]);
  });

  test('keeps its SQL: the same shape of a query is put together once', async () => {
    const ctx = kit.ctx();
    const find = (name: string) => ctx.model(Order).find([['name', '=', name]], { select: { name: true }, limit: 2 });
    kit.ran.length = 0;
    await find('S1');
    await find('S2');
    expect(kit.ran[0]?.sql).toBe(kit.ran[1]?.sql);
    expect(kit.ran[0]?.bindings).not.toEqual(kit.ran[1]?.bindings);
  });

  test('reads translated texts in the language, else in the default one', async () => {
    const names = async (lang: string) =>
      (
        await kit
          .ctx({ lang })
          .model(Tag)
          .find([], { select: { name: true } })
      ).map(({ name }) => name);
    expect(await names('fr_FR')).toEqual(['Big', 'Rapide']);
    expect(await names('en_US')).toEqual(['Big', 'Fast']);
    expect(await names('de_DE')).toEqual(['Big', 'Fast']);
  });

  test('says of each row what it is, and copies of the row keep that', async () => {
    const [row] = await kit
      .ctx({ lang: 'fr_FR' })
      .model(Tag)
      .find([], { select: { name: true } });
    const meta = { ...row } as unknown as { [META]: RowMeta };
    expect(meta[META]).toMatchObject({ model: 'shop.tag', id: 2, mayWrite: true });
    expect(meta[META].fields.name?.type).toBe('char');
  });

  test('pages through results in a stable order', async () => {
    const orders = kit.ctx().model(Order);
    expect(await orders.search([], { limit: 2 })).toEqual([3, 2]);
    expect(await orders.search([], { limit: 2, offset: 2 })).toEqual([1]);
    expect(await orders.search([], { offset: 1 })).toEqual([2, 1]);
    expect(await orders.search([], { limit: 0 })).toEqual([]);
    expect(await orders.count([])).toBe(3);
  });

  test('sorts lines as their field says, without regard to accents', async () => {
    await kit.insert('shop_country', { id: 9, name: 'Grand Est' });
    const capitals = await kit.write(async (ctx) => {
      const region_ids = ['Nancy', 'Épinal', 'Colmar', 'éclaron'].map((capital) => ({ create: { capital } }));
      await ctx.model(Country).write(9, { region_ids });
      const country = await ctx.model(Country).get(9, { select: { region_ids: { capital: true } } });
      await ctx.model(Country).unlink(9);
      return country.region_ids.map(({ capital }) => capital);
    });
    expect(capitals).toEqual(['Colmar', 'éclaron', 'Épinal', 'Nancy']);
  });

  test('sorts by what stands behind a many2one, without regard to accents, empty values smallest', async () => {
    const orders = kit.ctx().model(Order);
    expect(await orders.search([], { order: 'customer_id, name' })).toEqual([2, 3, 1]);
    expect(await orders.search([], { order: 'customer_id.country_id.code desc, id' })).toEqual([1, 2, 3]);
    expect(await orders.search([], { order: 'amount' })).toEqual([2, 3, 1]);
    expect(await orders.search([], { order: 'amount desc' })).toEqual([1, 3, 2]);
  });

  test('leaves inactive records out of searches and lines, and shows them where they are named', async () => {
    const customers = kit.ctx().model(Customer);
    expect(await customers.search([])).toEqual([1, 2]);
    expect(await customers.search([['active', '=', false]])).toEqual([3]);
    expect(await customers.search([['active', 'in', [true, false]]])).toEqual([1, 2, 3]);
    expect(await customers.get(3, { select: { name: true } })).toMatchObject({ name: 'Gone' });
    expect(await customers.get(1, { select: { child_ids: true } })).toMatchObject({ child_ids: [2] });
  });

  test('names records, by a method that extensions may override or the field that names them', async () => {
    const row = await kit
      .ctx()
      .model(Order)
      .get(1, { select: { display_name: true, customer_id: { display_name: true } } });
    expect(row).toMatchObject({ display_name: 'S1', customer_id: { id: 1, display_name: 'Zoé' } });
    const [line] = await kit
      .ctx()
      .model(Line)
      .find([['order_id', '=', 1]], { select: { display_name: true }, limit: 1 });
    expect(line).toMatchObject({ display_name: 'S1' });
    expect(await kit.ctx().model(Customer).displayNames([2, 1, 99])).toEqual(
      new Map([
        [1, 'Zoé'],
        [2, 'Ann'],
      ]),
    );
  });

  test('answers NotFound for a record that is not there, in the order asked for those that are', async () => {
    await expect(kit.ctx().model(Order).get(99, { select: {} })).rejects.toMatchObject({
      status: 404,
      code: 'core.no_record',
    });
    const rows = await kit
      .ctx()
      .model(Order)
      .read([3, 99, 1], { select: { name: true } });
    expect(rows.map(({ name }) => name)).toEqual(['S3', 'S1']);
  });

  test('groups with aggregates', async () => {
    const orders = kit.ctx().model(Order);
    const groups = await orders.group([], {
      by: ['customer_id'],
      aggregates: ['amount:sum', 'rate:avg', 'name:count_distinct', 'rate:max'],
    });
    expect(groups).toEqual([
      {
        customer_id: 2,
        'amount:sum': -5,
        'rate:avg': '-0.000001',
        'name:count_distinct': 2,
        'rate:max': '-0.000001',
        count: 2,
      },
      { customer_id: 1, 'amount:sum': 1250, 'rate:avg': '1.5', 'name:count_distinct': 1, 'rate:max': '1.5', count: 1 },
    ]);
    expect(await orders.group([], { by: ['ordered:month'], order: 'count desc' })).toEqual([
      { 'ordered:month': null, count: 2 },
      { 'ordered:month': '2026-11-01', count: 1 },
    ]);
    expect(await orders.group([['id', '=', 1]], { by: ['due:week', 'ordered:quarter'] })).toEqual([
      { 'due:week': '2026-11-30', 'ordered:quarter': '2026-10-01', count: 1 },
    ]);
    expect(
      await kit
        .ctx({ timezone: 'Pacific/Auckland' })
        .model(Order)
        .group([['id', '=', 1]], { by: ['ordered:day'] }),
    ).toEqual([{ 'ordered:day': '2026-11-21', count: 1 }]);
    expect(
      await kit
        .ctx({ timezone: 'Pacific/Kiritimati' })
        .model(Order)
        .group([['id', '=', 1]], { by: ['ordered:day'] }),
    ).toEqual([{ 'ordered:day': '2026-11-22', count: 1 }]);
    expect(await orders.group([], { by: [], aggregates: ['amount:sum'] })).toEqual([{ 'amount:sum': 1245, count: 3 }]);
  });

  test('groups by what related fields lead to, and works it out', async () => {
    const lines = kit.ctx({ timezone: 'Pacific/Kiritimati' }).model(Line);
    expect(
      await lines.group([], { by: ['customer_name', 'ordered:day'], aggregates: ['qty:sum', 'rate:max'] }),
    ).toEqual([
      { customer_name: 'Ann', 'ordered:day': null, 'qty:sum': 2, 'rate:max': null, count: 1 },
      { customer_name: 'Zoé', 'ordered:day': '2026-11-22', 'qty:sum': 6, 'rate:max': '1.5', count: 2 },
    ]);
    expect(await lines.group([], { by: ['customer_id'], order: 'customer_id desc' })).toEqual([
      { customer_id: 1, count: 2 },
      { customer_id: 2, count: 1 },
    ]);
  });

  test('a field that is not there is a fault of the code, said with the one that was meant', async () => {
    const orders = kit.ctx().modelNamed('shop.order');
    const fault = async (work: () => Promise<unknown>) => {
      const error: unknown = await work().catch((thrown: unknown) => thrown);
      if (!(error instanceof WrongCode)) throw new Error(`no fault of the code, but ${String(error)}`);
      expect(error.status).toBe(500);
      return error.message;
    };
    const meant = /^“shop\.\w+” has no field “nmae”\. Did you mean “name”\?$/;
    const ways = [
      () => orders.find([], { select: { nmae: true } as never }),
      () => orders.find([], { select: { customer_id: { nmae: true } } as never }),
      () => orders.read([1], { select: { nmae: true } as never }),
      () => orders.search([['nmae', '=', 'x']]),
      () => orders.count([['customer_id.nmae', '=', 'x']]),
      () => orders.search([], { order: 'nmae' }),
      () => orders.search([], { order: 'customer_id.nmae desc' }),
      () => orders.group([], { by: ['nmae'] as never[] }),
      () => orders.group([], { by: [], aggregates: ['nmae:sum'] as never[] }),
    ];
    for (const way of ways) expect(await fault(way)).toMatch(meant);
    expect(await fault(() => orders.find([], { select: { name: { id: true } } as never }))).toContain(
      'leads to no records',
    );
    expect(await fault(() => orders.search([['Name', '=', 'x']]))).toContain('“"Name"” in the domain isn’t a field');
    expect(await fault(() => orders.search([['name', 'is' as 'in', 'x']]))).toContain(
      '“"is"” in the condition on “name”',
    );
    expect(await fault(() => orders.search([], { order: 'name; drop' }))).toContain('isn’t a valid order');
    const write = (work: (orders: AnyModel) => Promise<unknown>) => () =>
      kit.write((ctx) => work(ctx.modelNamed('shop.order')));
    expect(await fault(write((order) => order.create({ nmae: 'x' })))).toMatch(meant);
    expect(await fault(write((order) => order.write([1], { nmae: 'x' })))).toMatch(meant);
  });
});
