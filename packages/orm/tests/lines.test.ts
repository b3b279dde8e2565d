import { jest } from '@jest/globals';
import { type Ctx, extend, f, type Ids, model } from 'pergola';
import { eachDatabase } from '../../../tools/testing/databases.ts';
import { databaseSession } from '../../db/session.ts';
import { createModelKit, loosely, type ModelKit, openToAll, refusal } from './kit.ts';

class Order extends model('lines.order', {
  name: f.char({ required: true }),
  line_ids: f.one2many('lines.line', 'order_id', { order: 'id' }),
  note_ids: f.one2many('lines.note', 'order_id', { order: 'id', copy: true }),
  tag_ids: f.many2many('lines.tag', { empty: 'none', order: 'id' }),
  code: f.char({ unique: true }),
  secret: f.char({ secret: true }),
}) {}
class Line extends model('lines.line', {
  order_id: f.many2one('lines.order', { required: true, ondelete: 'cascade' }),
  name: f.char({ required: true }),
  qty: f.integer({ min: 0 }),
  day: f.date(),
  at: f.datetime(),
  done: f.boolean(),
  share: f.float(),
  price: f.decimal(),
  data: f.json(),
}) {}
class Note extends model('lines.note', { order_id: f.many2one('lines.order', { empty: 'none' }), text: f.char() }) {}
class Tag extends model('lines.tag', {
  name: f.char({ required: true }),
  order_ids: f.many2many('lines.order', {
    empty: 'none',
    relation: { table: 'lines_order__lines_tag__rel', from: 'lines_tag_id', to: 'lines_order_id' },
  }),
}) {}
declare module 'pergola' {
  interface Models {
    'lines.order': Order;
    'lines.line': Line;
    'lines.note': Note;
    'lines.tag': Tag;
  }
}

const deleted: string[] = [];
const HearingLine = extend(
  Line,
  {},
  (Base) =>
    class extends Base {
      override async beforeUnlink(ids: Ids): Promise<void> {
        for (const { name } of await this.read(ids, { select: { name: true } })) deleted.push(name);
        return super.beforeUnlink(ids);
      }
    },
);

const addons = openToAll([{ name: 'lines', models: [Order, Line, Note, Tag, HearingLine] }]);

eachDatabase('Fields of several records', (dialect) => {
  let kit: ModelKit;
  beforeAll(async () => {
    kit = await createModelKit(dialect, addons);
  });
  afterAll(() => kit.close());

  const write = (values: object, id?: number): Promise<number> =>
    kit.write(async (ctx) => {
      const orders = loosely(ctx, 'lines.order');
      if (id === undefined) return orders.create({ name: 'o', ...values });
      await orders.write(id, { ...values });
      return id;
    });
  const read = (id: number) =>
    kit
      .ctx()
      .model(Order)
      .get(id, {
        select: { line_ids: { name: true, qty: true }, note_ids: { text: true }, tag_ids: { name: true } },
      });
  const linesOf = async (id: number) => (await read(id)).line_ids.map(({ name, qty }) => `${name}${qty}`);
  const tags = (...names: string[]) => kit.write((ctx) => ctx.model(Tag).create(names.map((name) => ({ name }))));

  test('make, change, delete and replace lines by commands', async () => {
    const id = await write({ line_ids: [{ create: { name: 'a', qty: 1 } }, { create: { name: 'b', qty: 2 } }] });
    expect(await linesOf(id)).toEqual(['a1', 'b2']);
    const [a, b] = (await read(id)).line_ids.map((line) => line.id);
    await write(
      { line_ids: [{ update: a, values: { qty: 5 } }, { delete: b }, { create: { name: 'c', qty: 3 } }] },
      id,
    );
    expect(await linesOf(id)).toEqual(['a5', 'c3']);
    await write({ line_ids: [{ set: [] }, { create: { name: 'd', qty: 4 } }] }, id);
    expect(await linesOf(id)).toEqual(['d4']);
    await write({ line_ids: [] }, id);
    expect(await linesOf(id)).toEqual([]);
  });

  test('move lines between records, and let go of those that can be alone', async () => {
    const from = await write({ line_ids: [{ create: { name: 'm', qty: 1 } }], note_ids: [{ create: { text: 'n' } }] });
    const { line_ids, note_ids } = await read(from);
    const line = line_ids[0]?.id ?? 0;
    const note = note_ids[0]?.id ?? 0;
    const to = await write({ line_ids: [{ link: line }], note_ids: [note] });
    expect(await read(from)).toMatchObject({ line_ids: [], note_ids: [] });
    expect(await read(to)).toMatchObject({ line_ids: [{ id: line }], note_ids: [{ id: note }] });
    deleted.length = 0;
    await write({ line_ids: [{ unlink: line }], note_ids: [{ unlink: note }] }, to);
    expect(deleted).toEqual(['m']);
    expect(
      await kit
        .ctx()
        .model(Note)
        .get(note, { select: { order_id: true } }),
    ).toMatchObject({ order_id: null });
  });

  test('link, unlink and replace records that several may share', async () => {
    const [one = 0, two = 0, three = 0] = await tags('one', 'two', 'three');
    const names = async (id: number) => (await read(id)).tag_ids.map(({ name }) => name);
    const id = await write({ tag_ids: [one, two, two] });
    expect(await names(id)).toEqual(['one', 'two']);
    await write({ tag_ids: [{ unlink: one }, { link: three }, { create: { name: 'four' } }] }, id);
    expect(await names(id)).toEqual(['two', 'three', 'four']);
    await write({ tag_ids: [{ update: two, values: { name: 'deux' } }, { delete: three }] }, id);
    expect(await names(id)).toEqual(['deux', 'four']);
    expect(
      await kit
        .ctx()
        .model(Tag)
        .get(two, { select: { order_ids: true } }),
    ).toMatchObject({ order_ids: [id] });
    await kit.write((ctx) => ctx.model(Tag).write(one, { order_ids: [id] }));
    expect(await names(id)).toEqual(['one', 'deux', 'four']);
    await write({ tag_ids: null }, id);
    expect(await names(id)).toEqual([]);
    expect(
      await kit
        .ctx()
        .model(Tag)
        .count([['id', 'in', [one, two]]]),
    ).toBe(2);
  });

  test('do not reach lines of other records', async () => {
    const mine = await write({ line_ids: [{ create: { name: 'mine', qty: 1 } }] });
    const other = await write({ line_ids: [{ create: { name: 'other', qty: 1 } }] });
    const line = (await read(other)).line_ids[0]?.id ?? 0;
    const [tag = 0] = await tags('foreign');
    for (const command of [{ update: line, values: { qty: 9 } }, { delete: line }, { unlink: line }]) {
      const error = await refusal(write({ line_ids: [command] }, mine));
      expect(error.fields).toEqual({ line_ids: `Record not found: ${line}.` });
    }
    expect((await refusal(write({ tag_ids: [{ delete: tag }] }, mine))).fields).toHaveProperty('tag_ids');
    expect(await linesOf(other)).toEqual(['other1']);
  });

  test('say what is wrong with a line beside the field it was written through, and keep nothing', async () => {
    const before = await kit.ctx().model(Order).count([]);
    const error = await refusal(write({ name: 'broken', line_ids: [{ create: { qty: -1 } }] }));
    expect(error.fields).toEqual({
      'line_ids.0.name': 'Fill in this field.',
      'line_ids.0.qty': 'Enter 0 or more.',
    });
    expect(await kit.ctx().model(Order).count([])).toBe(before);
  });

  test.each([
    ['a text', 'x'],
    ['a command of no kind', [{}]],
    ['two commands in one', [{ link: 1, unlink: 1 }]],
    ['ids and commands', [1, { link: 1 }]],
    ['an inherited command', [Object.create({ link: 1 })]],
    ['values that are none', [{ create: [1] }]],
    ['an id that is none', [{ link: 1.5 }]],
    ['a list of texts', [{ set: ['1'] }]],
  ])('refuse %s', async (_, value) => {
    expect((await refusal(write({ tag_ids: value }))).fields).toHaveProperty('tag_ids');
  });

  test('refuse links to records that are not there', async () => {
    expect((await refusal(write({ tag_ids: [99_999] }))).fields).toEqual({
      tag_ids: 'Record not found: 99999.',
    });
    const asSystem = kit.write((ctx) =>
      ctx
        .sudo()
        .model(Order)
        .create({ name: 'x', tag_ids: [99_999] }),
    );
    expect((await refusal(asSystem)).fields).toEqual({ tag_ids: 'Record not found: 99999.' });
    const line = kit.write((ctx) => ctx.sudo().model(Line).create({ name: 'x', order_id: 99_999 }));
    expect((await refusal(line)).fields).toEqual({ order_id: 'Record not found: 99999.' });
  });

  test('go with their record: lines with their hooks, links, and what is left is released', async () => {
    const [tag = 0] = await tags('left');
    const id = await write({
      line_ids: [{ create: { name: 'x' } }, { create: { name: 'y' } }],
      note_ids: [{ create: { text: 'stays' } }],
      tag_ids: [tag],
    });
    const note = (await read(id)).note_ids[0]?.id ?? 0;
    deleted.length = 0;
    await kit.write((ctx) => ctx.model(Order).unlink(id));
    expect(deleted.sort()).toEqual(['x', 'y']);
    expect(
      await kit
        .ctx()
        .model(Line)
        .count([['order_id', '=', id]]),
    ).toBe(0);
    expect(
      await kit
        .ctx()
        .model(Note)
        .get(note, { select: { order_id: true } }),
    ).toMatchObject({ order_id: null });
    expect(await kit.sql('select count(*) as n from lines_order__lines_tag__rel where lines_order_id = ?', id)).toEqual(
      [{ n: 0 }],
    );
  });

  test('are taken over by a copy as their field says; unique and secret values are not', async () => {
    const [tag = 0] = await tags('shared');
    const id = await write({
      name: 'first',
      code: `c${dialect}`,
      secret: 's',
      line_ids: [{ create: { name: 'line' } }],
      note_ids: [{ create: { text: 'note' } }],
      tag_ids: [tag],
    });
    const made = await kit.write((ctx) => ctx.model(Order).copy(id, { name: 'second' }));
    expect(await read(made)).toMatchObject({ line_ids: [], note_ids: [{ text: 'note' }], tag_ids: [{ id: tag }] });
    expect(
      await kit
        .ctx({ su: true })
        .model(Order)
        .get(made, { select: { name: true, code: true, secret: true } }),
    ).toMatchObject({
      name: 'second',
      code: null,
      secret: null,
    });
    expect((await read(id)).note_ids).toHaveLength(1);
  });

  test('keep the order of many lines', async () => {
    const create = Array.from({ length: 64 }, (_, n) => ({ create: { name: `l${n}`, qty: n } }));
    const id = await write({ line_ids: create });
    expect(await linesOf(id)).toEqual(create.map((_, n) => `l${n}${n}`));
  });

  it('name what is wrong with a line by the labels of both', async () => {
    const wrong = await refusal(write({ name: 'o', line_ids: [{ create: { qty: 1 } }] }));
    expect(wrong?.fields).toEqual({ 'line_ids.0.name': 'Fill in this field.' });
    expect(wrong?.params.problems).toMatch(/^Lines? 1 \/ Name: Fill in this field\.$/);
  });

  it('knows within a transaction what it has read, and never shows what has changed since', async () => {
    const ofLine = {
      name: true,
      qty: true,
      day: true,
      at: true,
      done: true,
      share: true,
      price: true,
      data: true,
    } as const;
    const select = { name: true, code: true, line_ids: ofLine, tag_ids: { name: true } } as const;
    // Who has to keep to rules is always answered by the database.
    const views = async (ctx: Ctx, ids: Ids) => [
      await ctx.sudo().model(Order).read(ids, { select }),
      await ctx.model(Order).read(ids, { select }),
    ];
    const filled = [
      {
        day: '2026-11-24',
        at: new Date(1_700_000_000_123),
        done: true,
        share: 1 / 7,
        price: '2.5',
        data: { b: 1, a: null },
      },
      { day: '0900-01-31', at: new Date(-5), done: false, share: -3, price: '-12', data: '"' },
      { day: null, at: null, done: false, share: null, price: null, data: null },
    ];
    let seed = 7;
    const random = (most: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % most;
    };
    await kit.write(async (ctx) => {
      const [orders, lines, tags] = [ctx.model(Order), ctx.model(Line), ctx.model(Tag)];
      const ids = await orders.create([{ name: 'first' }, { name: 'second' }]);
      const any = () => ids[random(2)] ?? 0;
      const tag = await tags.create([{ name: 'a' }, { name: 'b' }, { name: 'c' }]);
      const line = async () => (await lines.search([['order_id', 'in', ids]], { order: 'qty, id' }))[random(3)] ?? 0;
      const steps: (() => Promise<unknown>)[] = [
        () => lines.create({ order_id: any(), name: `n${random(100)}`, qty: random(9) }),
        () => lines.create({ order_id: any(), name: `n${random(100)}`, qty: random(9) }),
        async () => lines.write((await lines.search([['order_id', 'in', ids]])).slice(0, 2), { qty: random(99) }),
        async () => lines.write((await line()) || [], filled[random(97) % 3] ?? {}),
        async () => lines.write(await line(), { order_id: any() }).catch(() => null),
        async () => lines.unlink(await line()).catch(() => null),
        () => orders.write(any(), { tag_ids: [{ set: tag.slice(random(3)) }], name: `o${random(100)}` }),
        () => tags.write(tag[random(3)] ?? 0, { name: `t${random(100)}`, order_ids: [{ set: [any()] }] }),
        () => orders.write(any(), { line_ids: [{ create: { name: 'with', qty: 1 } }], code: null }),
        () =>
          ctx
            .savepoint(async () => {
              await lines.create({ order_id: any(), name: 'undone', qty: 1 });
              await orders.write(any(), { name: 'undone' });
              await views(ctx, ids);
              throw new Error('undone');
            })
            .catch(() => null),
        () =>
          // A reading begun before a write and one begun with it.
          Promise.all([
            views(ctx, ids),
            ctx.get(databaseSession).connection.query({ sql: 'update lines_line set qty = qty + 1', bindings: [] }),
            views(ctx, ids),
          ]),
      ];
      for (let step = 0; step < 120; step++) {
        await steps[random(steps.length)]?.();
        const [known, asked] = await views(ctx, ids);
        // PostgreSQL sorts what JSON names.
        expect(JSON.stringify(known)).toBe(JSON.stringify(asked));
      }
    });
  });

  it('asks the database once for what a transaction reads again', async () => {
    const id = await write({ line_ids: [{ create: { name: 'l', qty: 1 } }] });
    await kit.write(async (given) => {
      const ctx = given.sudo();
      const read = () => ctx.model(Order).get(id, { select: { name: true, line_ids: { qty: true } } });
      const before = await read();
      const values = { name: 'm', done: true, day: '2026-11-24', at: new Date(), share: 0.5 };
      await ctx.model(Line).write(
        before.line_ids.map((line) => line.id),
        values,
      );
      const asked = jest.spyOn(ctx.get(databaseSession).connection, 'query');
      await read();
      const [line] = await ctx.model(Line).read(
        before.line_ids.map((line) => line.id),
        { select: { qty: true, name: true, done: true, day: true, at: true, share: true } },
      );
      expect(line).toMatchObject({ qty: 1, ...values });
      expect(asked).not.toHaveBeenCalled();
      asked.mockRestore();
    });
  });
});
