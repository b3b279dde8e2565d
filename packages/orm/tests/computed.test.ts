import { decimal, extend, f, type Id, type Ids, model } from 'pergola';
import { describeProblem } from '../../../core/base/errors.ts';
import { eachDatabase } from '../../../tools/testing/databases.ts';
import type { TrackedChange } from '../audit.ts';
import { buildRegistry } from '../build-registry.ts';
import { recompute } from '../compute/recompute.ts';
import { createModelKit, loosely, type ModelKit, openToAll, refusal } from './kit.ts';

class Product extends model('comp.product', { name: f.char({ required: true }), price: f.decimal({ default: '0' }) }) {}
class Customer extends model('comp.customer', {
  name: f.char({ required: true }),
  order_ids: f.one2many('comp.order', 'customer_id'),
  total: f.decimal({ compute: 'computeTotal', depends: ['order_ids.total'], store: true }),
  big: f.boolean({ compute: 'computeBig', depends: ['total'], store: true, tracked: true }),
  orders: f.char({ compute: 'computeOrders', depends: ['order_ids.name'] }),
}) {
  async computeOrders(ids: Ids): Promise<Map<Id, string>> {
    const rows = await this.read(ids, { select: { order_ids: { name: true } } });
    return new Map(rows.map((row) => [row.id, row.order_ids.map(({ name }) => name).join(', ')]));
  }
  async computeTotal(ids: Ids): Promise<Map<Id, string>> {
    const rows = await this.read(ids, { select: { order_ids: { total: true } } });
    return new Map(rows.map((row) => [row.id, sum(row.order_ids.map(({ total }) => total))]));
  }
  async computeBig(ids: Ids): Promise<Map<Id, boolean>> {
    const rows = await this.read(ids, { select: { total: true } });
    return new Map(rows.map((row) => [row.id, decimal(row.total ?? '0').gte(100)]));
  }
}
class Order extends model('comp.order', {
  name: f.char({ required: true }),
  customer_id: f.many2one('comp.customer', { empty: 'none' }),
  customer_name: f.char({ related: 'customer_id.name' }),
  label: f.char({ compute: 'computeLabel', depends: ['name', 'customer_name'] }),
  shout: f.char({ compute: 'computeShout', depends: ['label'], store: true }),
  line_ids: f.one2many('comp.line', 'order_id'),
  tag_ids: f.many2many('comp.tag', { empty: 'none' }),
  tags: f.char({ compute: 'computeTags', depends: ['tag_ids.name'], store: true }),
  untaxed: f.decimal({ compute: 'computeTotals', depends: ['line_ids.subtotal'], store: true }),
  total: f.decimal({
    compute: 'computeTotals',
    depends: ['line_ids.subtotal', 'line_ids.product_id.price'],
    store: true,
  }),
}) {
  static calls: Ids[] = [];

  async computeTotals(ids: Ids): Promise<Map<Id, { untaxed: string; total: string }>> {
    Order.calls.push(ids);
    const rows = await this.read(ids, { select: { line_ids: { subtotal: true } } });
    return new Map(
      rows.map((row) => {
        const untaxed = sum(row.line_ids.map(({ subtotal }) => subtotal));
        return [row.id, { untaxed, total: decimal(untaxed).times('1.2').toString() }];
      }),
    );
  }
  async computeTags(ids: Ids): Promise<Map<Id, string>> {
    const rows = await this.read(ids, { select: { tag_ids: { name: true } } });
    return new Map(
      rows.map((row) => [
        row.id,
        row.tag_ids
          .map(({ name }) => name)
          .sort()
          .join('+'),
      ]),
    );
  }
  async computeLabel(ids: Ids): Promise<Map<Id, string>> {
    const rows = await this.read(ids, { select: { name: true, customer_name: true } });
    return new Map(rows.map((row) => [row.id, `${row.name}/${row.customer_name ?? '-'}`]));
  }
  async computeShout(ids: Ids): Promise<Map<Id, string>> {
    const rows = await this.read(ids, { select: { label: true } });
    return new Map(rows.map((row) => [row.id, (row.label ?? '').toUpperCase()]));
  }
  override async validate(ids: Ids, changed: ReadonlySet<string>): Promise<void> {
    if (!changed.has('total')) return;
    for (const { total } of await this.read(ids, { select: { total: true } })) {
      if (decimal(total ?? '0').gt(10_000)) throw new TypeError('too much');
    }
  }
}
class Line extends model('comp.line', {
  order_id: f.many2one('comp.order', { required: true, ondelete: 'cascade' }),
  product_id: f.many2one('comp.product', { empty: 'none' }),
  qty: f.integer({ default: 1 }),
  active: f.boolean({ default: true }),
  subtotal: f.decimal({ compute: 'computeSubtotal', depends: ['qty', 'product_id.price'], store: true }),
}) {
  async computeSubtotal(ids: Ids): Promise<Map<Id, string>> {
    const rows = await this.read(ids, { select: { qty: true, product_id: { price: true } } });
    return new Map(
      rows.map((row) => [
        row.id,
        decimal(row.product_id?.price ?? '0')
          .times(row.qty ?? 0)
          .toString(),
      ]),
    );
  }
}
class Tag extends model('comp.tag', {
  name: f.char({ required: true }),
  order_ids: f.many2many('comp.order', {
    empty: 'none',
    relation: { table: 'comp_order__comp_tag__rel', from: 'comp_tag_id', to: 'comp_order_id' },
  }),
}) {}
class Category extends model('comp.category', {
  name: f.char({ required: true }),
  parent_id: f.many2one('comp.category', { ondelete: 'cascade' }),
  path: f.char({ compute: 'computePath', depends: ['name', 'parent_id.path'], store: true }),
}) {
  async computePath(ids: Ids): Promise<Map<Id, string>> {
    const rows = await this.read(ids, { select: { name: true, parent_id: { path: true } } });
    return new Map(rows.map((row) => [row.id, [row.parent_id?.path, row.name].filter(Boolean).join(' / ')]));
  }
}
declare module 'pergola' {
  interface Models {
    'comp.product': Product;
    'comp.customer': Customer;
    'comp.order': Order;
    'comp.line': Line;
    'comp.tag': Tag;
    'comp.category': Category;
  }
}

function sum(list: readonly (string | null)[]): string {
  return list.reduce((total, one) => total.plus(one ?? '0'), decimal(0)).toString();
}

const audited: TrackedChange[] = [];
const addon = {
  ...openToAll([{ name: 'comp', models: [Product, Customer, Order, Line, Tag, Category] }])[0],
  name: 'comp',
  audit: async (_: unknown, changes: readonly TrackedChange[]) => {
    audited.push(...changes);
  },
};

eachDatabase('Kept computed values', (dialect) => {
  let kit: ModelKit;
  let apple = 0;
  let pear = 0;
  beforeAll(async () => {
    kit = await createModelKit(dialect, [addon]);
    [apple = 0, pear = 0] = await kit.write((ctx) =>
      ctx.model(Product).create([
        { name: 'apple', price: '2' },
        { name: 'pear', price: '3.5' },
      ]),
    );
  });
  afterAll(() => kit.close());

  const order = (lines: readonly object[], values: object = {}): Promise<number> =>
    kit.write((ctx) =>
      loosely(ctx, 'comp.order').create({ name: 'o', line_ids: lines.map((line) => ({ create: line })), ...values }),
    );
  const totalOf = async (id: number) =>
    (
      await kit
        .ctx()
        .model(Order)
        .get(id, { select: { total: true } })
    ).total;
  const linesOf = async (id: number) =>
    (
      await kit
        .ctx()
        .model(Order)
        .get(id, { select: { line_ids: true } })
    ).line_ids.toSorted((a, b) => a - b);

  test('follow over two relations when records are made', async () => {
    const id = await order([
      { product_id: apple, qty: 3 },
      { product_id: pear, qty: 2 },
    ]);
    expect(
      await kit
        .ctx()
        .model(Order)
        .get(id, { select: { untaxed: true, total: true } }),
    ).toMatchObject({
      untaxed: '13',
      total: '15.6',
    });
    expect(await totalOf(await order([]))).toBe('0');
  });

  test('follow when a value at the far end changes', async () => {
    const id = await order([{ product_id: apple, qty: 10 }]);
    await kit.write((ctx) => ctx.model(Product).write(apple, { price: '2.5' }));
    expect(await totalOf(id)).toBe('30');
    await kit.write((ctx) => ctx.model(Product).write(apple, { price: '2' }));
    expect(await totalOf(id)).toBe('24');
  });

  test('follow when a line joins, changes, becomes inactive, moves and goes, on both sides', async () => {
    const from = await order([
      { product_id: apple, qty: 1 },
      { product_id: pear, qty: 2 },
    ]);
    const to = await order([]);
    const [first = 0, second = 0] = await linesOf(from);
    await kit.write((ctx) => ctx.model(Line).write(second, { product_id: apple }));
    expect(await totalOf(from)).toBe('7.2');
    await kit.write((ctx) => ctx.model(Line).write(first, { order_id: to }));
    expect([await totalOf(from), await totalOf(to)]).toEqual(['4.8', '2.4']);
    await kit.write((ctx) => ctx.model(Line).write(first, { active: false }));
    expect(await totalOf(to)).toBe('0');
    await kit.write((ctx) => ctx.model(Line).write(first, { active: true }));
    await kit.write((ctx) => ctx.model(Line).unlink([first, second]));
    expect([await totalOf(from), await totalOf(to)]).toEqual(['0', '0']);
  });

  test('follow each other in order, and are worked out once for all records of a level', async () => {
    const customer = await kit.write((ctx) => ctx.model(Customer).create({ name: 'c' }));
    Order.calls.length = 0;
    const ids = await kit.write((ctx) =>
      loosely(ctx, 'comp.order').create([
        { name: 'a', customer_id: customer, line_ids: [{ create: { product_id: apple, qty: 20 } }] },
        { name: 'b', customer_id: customer, line_ids: [{ create: { product_id: pear, qty: 20 } }] },
      ]),
    );
    expect(Order.calls).toEqual([ids]);
    const read = () =>
      kit
        .ctx()
        .model(Customer)
        .get(customer, { select: { total: true, big: true } });
    expect(await read()).toMatchObject({ total: '132', big: true });
    audited.length = 0;
    await kit.write((ctx) => ctx.model(Order).unlink(ids[1] ?? 0), { id: 1 });
    expect(await read()).toMatchObject({ total: '48', big: false });
    expect(audited).toEqual([{ model: 'comp.customer', id: customer, field: 'big', old: true, new: false }]);
  });

  test('follow links from both sides, and when the record at their end goes', async () => {
    const [red = 0, blue = 0] = await kit.write((ctx) => ctx.model(Tag).create([{ name: 'red' }, { name: 'blue' }]));
    const id = await order([], { tag_ids: [red] });
    const tags = async () =>
      (
        await kit
          .ctx()
          .model(Order)
          .get(id, { select: { tags: true } })
      ).tags;
    expect(await tags()).toBe('red');
    await kit.write((ctx) => ctx.model(Tag).write(blue, { order_ids: [{ link: id }] }));
    expect(await tags()).toBe('blue+red');
    await kit.write((ctx) => ctx.model(Tag).write(red, { name: 'pink' }));
    expect(await tags()).toBe('blue+pink');
    await kit.write((ctx) => ctx.model(Tag).unlink(blue));
    expect(await tags()).toBe('pink');
  });

  test('follow through related and unkept values', async () => {
    const customer = await kit.write((ctx) => ctx.model(Customer).create({ name: 'zoe' }));
    const id = await order([], { customer_id: customer });
    const read = () =>
      kit
        .ctx()
        .model(Order)
        .get(id, { select: { shout: true, label: true } });
    expect(await read()).toMatchObject({ shout: 'O/ZOE', label: 'o/zoe' });
    await kit.write((ctx) => ctx.model(Customer).write(customer, { name: 'ann' }));
    expect(await read()).toMatchObject({ shout: 'O/ANN' });
    await kit.write((ctx) => ctx.model(Customer).unlink(customer));
    expect(await read()).toMatchObject({ shout: 'O/-' });
  });

  test('follow their like down a tree, and notice a circle', async () => {
    const [a = 0, b = 0, c = 0] = await kit.write(async (ctx) => {
      const top = await ctx.model(Category).create({ name: 'a' });
      const middle = await ctx.model(Category).create({ name: 'b', parent_id: top });
      return [top, middle, await ctx.model(Category).create({ name: 'c', parent_id: middle })];
    });
    const path = async (id: number) =>
      (
        await kit
          .ctx()
          .model(Category)
          .get(id, { select: { path: true } })
      ).path;
    expect(await path(c)).toBe('a / b / c');
    await kit.write((ctx) => ctx.model(Category).write(a, { name: 'A' }));
    expect(await path(c)).toBe('A / b / c');
    const circle = await refusal(kit.write((ctx) => ctx.model(Category).write(a, { parent_id: c })));
    expect(circle.code).toBe('core.circular_records');
    expect(await path(b)).toBe('A / b');
  });

  test('are seen to by validate of whoever they belong to', async () => {
    const id = await order([{ product_id: apple, qty: 1 }]);
    const [line = 0] = await linesOf(id);
    await expect(kit.write((ctx) => ctx.model(Line).write(line, { qty: 1_000_000 }))).rejects.toThrow('too much');
    expect(await totalOf(id)).toBe('2.4');
  });

  test('that are only read may be longer than what people enter', async () => {
    const name = 'x'.repeat(200);
    const id = await kit.write(async (ctx) => {
      const customer = await loosely(ctx, 'comp.customer').create({ name: 'Long' });
      await loosely(ctx, 'comp.order').create([1, 2].map(() => ({ name, customer_id: customer })));
      return customer;
    });
    const { orders } = await kit
      .ctx()
      .model(Customer)
      .get(id, { select: { orders: true } });
    expect(orders).toBe(`${name}, ${name}`);
  });

  test('are worked out on reading while they are pending', async () => {
    const id = await order([{ product_id: apple, qty: 1 }]);
    await kit.sql('update comp_order set total = 0 where id = ?', id);
    const waiting = kit.under([addon], { pendingFields: ['comp.order.total'] });
    const select = { total: true, untaxed: true } as const;
    expect(await waiting.ctx().model(Order).get(id, { select })).toMatchObject({ total: '2.4', untaxed: '2' });
    expect(await totalOf(id)).toBe('0');
  });

  test('are worked out while they are pending also for those who may not see what they are made of', async () => {
    const id = await order([{ product_id: apple, qty: 1 }]);
    const readers = { model: 'comp.order', rights: { '*': 'r' } };
    const waiting = kit.under([{ ...addon, access: [readers] }], { pendingFields: ['comp.order.total'] });
    const visitor = waiting.ctx({ su: false });
    expect(await visitor.model(Order).get(id, { select: { total: true } })).toMatchObject({ total: '2.4' });
    await expect(visitor.model(Line).search([])).rejects.toThrow('don’t have permission to read');
  });

  test('can be worked out anew, and are not touched when they are right', async () => {
    const id = await order([{ product_id: apple, qty: 1 }]);
    await kit.sql('update comp_order set total = 0 where id = ?', id);
    await kit.write((ctx) => recompute(ctx, 'comp.order', 'total', [id, 99_999]));
    expect(await totalOf(id)).toBe('2.4');
    const version = kit.database.changes.version('comp_order');
    await kit.write((ctx) => recompute(ctx, 'comp.order', ['total', 'untaxed'], [id]));
    expect(kit.database.changes.version('comp_order')).toBe(version);
  });
});

describe('Paths of computed fields', () => {
  const problemsOf = (...models: Parameters<typeof buildRegistry>[0][number]['models'] & object) =>
    buildRegistry([{ name: 'x', models }]).problems.map(describeProblem);

  test('that lead in a circle are a problem', () => {
    class A extends model('x.a', {
      b_id: f.many2one('x.b'),
      n: f.integer({ compute: 'n1', depends: ['b_id.n'], store: true }),
      b_ids: f.one2many('x.b', 'a_id'),
    }) {
      n1(): void {}
    }
    class B extends model('x.b', {
      a_id: f.many2one('x.a'),
      n: f.integer({ compute: 'n2', depends: ['a_id.n'], store: true }),
    }) {
      n2(): void {}
    }
    expect(problemsOf(A, B)).toEqual([
      'x: Computed fields follow each other in a circle: x.a.n → x.b.n → x.a.n. Leave one of these paths out of “depends”.',
    ]);
  });

  test('that cannot be followed are problems, each with what to do', () => {
    class A extends model('x.a', {
      other_id: f.many2one('x.a', { compute: 'other', depends: ['name'] }),
      name: f.char(),
      loose: f.char({ compute: 'one' }),
      a: f.char({ compute: 'one', depends: ['other_id.name'], store: true }),
      b: f.char({ compute: 'two', depends: ['loose'], store: true }),
      c: f.char({ compute: 'three', depends: ['write_date'], store: true }),
      d: f.char({ compute: 'four', depends: ['d'], store: true }),
    }) {
      other(): void {}
      one(): void {}
      two(): void {}
      three(): void {}
      four(): void {}
    }
    const problems = problemsOf(A);
    expect(problems).toHaveLength(4);
    for (const [position, name] of ['a', 'b', 'c', 'd'].entries())
      expect(problems[position]).toContain(`“x.a.${name}” follows`);
  });
});

test('An extension may change how a value is computed', async () => {
  class Base extends model('over.base', {
    n: f.integer(),
    twice: f.integer({ compute: 'calc', depends: ['n'], store: true }),
  }) {
    async calc(ids: Ids): Promise<Map<Id, number>> {
      const rows = await this.read(ids, { select: { n: true } });
      return new Map(rows.map((row) => [row.id, 2 * Number(row.n)]));
    }
  }
  const Thrice = extend(
    Base,
    {},
    (Below) =>
      class extends Below {
        override async calc(ids: Ids): Promise<Map<Id, number>> {
          const below = await super.calc(ids);
          return new Map([...below].map(([id, twice]) => [id, twice + 1]));
        }
      },
  );
  const kit = await createModelKit('sqlite', openToAll([{ name: 'over', models: [Base, Thrice] }]));
  const id = await kit.write((ctx) => ctx.model(Base).create({ n: 5 }));
  expect(
    await kit
      .ctx()
      .model(Base)
      .get(id, { select: { twice: true } }),
  ).toMatchObject({ twice: 11 });
  await kit.close();
});
