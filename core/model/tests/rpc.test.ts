import fc from 'fast-check';
import { access, f, type Ids, model, PergolaError, publicMethod, rule, z } from '#core';
import { internals } from '../../internals.ts';
import type { AddonDefinition } from '../../kernel/addon.ts';
import { eachDatabase } from '../../testing/databases.ts';
import { callModel, methodWrites, prepareModelCall } from '../rpc/index.ts';
import { createModelKit, type ModelKit, refusal, type Viewer } from './kit.ts';

class Currency extends model('rpc.currency', {
  name: f.char({ required: true }),
  decimal_places: f.integer({ default: 2 }),
  rounding: f.decimal({ default: '0.01' }),
}) {}
class Partner extends model('rpc.partner', { name: f.char({ required: true }), phone: f.char() }) {
  async greet(ids: Ids): Promise<number> {
    return ids.length;
  }
}
class Sale extends model('rpc.sale', {
  name: f.char({ required: true, label: 'Number', help: 'Given by us' }),
  partner_id: f.many2one('rpc.partner'),
  currency_id: f.many2one('rpc.currency'),
  line_ids: f.one2many('rpc.line', 'sale_id'),
  tag_ids: f.many2many('rpc.tag'),
  state: f.selection({ draft: 'Quotation', sale: 'Order' }, { default: 'draft' }),
  amount: f.money(),
  rate: f.decimal({ places: 3 }),
  qty: f.integer(),
  weight: f.float(),
  day: f.date(),
  moment: f.datetime(),
  paid: f.boolean(),
  note: f.html(),
  file: f.binary(),
  active: f.boolean({ default: true }),
  karma: f.integer({ readonly: true }),
  token: f.char({ secret: true, default: () => 'hush' }),
  salary: f.integer({ groups: 'x.boss' }),
  shout: f.char({ compute: 'computeShout', depends: ['name'] }),
}) {
  async computeShout(ids: Ids): Promise<Map<number, string>> {
    const rows = await this.read(ids, { select: { name: true } });
    return new Map(rows.map((row) => [row.id, row.name.toUpperCase()]));
  }
  async confirm(ids: Ids): Promise<Date> {
    await this.write(ids, { state: 'sale' });
    return new Date('2026-11-21T10:00:00Z');
  }
  async add(ids: Ids, one: number, two: number): Promise<number> {
    return ids.length + one + two;
  }
  async totals({ of }: { of: string }): Promise<Map<string, number>> {
    return new Map([[of, await this.count([])]]);
  }
  async hidden(): Promise<string> {
    return 'hidden';
  }
  async _private(): Promise<string> {
    return 'private';
  }
}
class Line extends model(
  'rpc.line',
  {
    sale_id: f.many2one('rpc.sale', { required: true, ondelete: 'cascade' }),
    currency_id: f.many2one('rpc.currency', { related: 'sale_id.currency_id' }),
    name: f.char(),
    price: f.money(),
  },
  { nameSearch: ['sale_id', 'name'] },
) {}
class Tag extends model('rpc.tag', { name: f.char({ required: true }) }) {}
class Hidden extends model('rpc.hidden', { name: f.char() }) {
  async open(): Promise<string> {
    return 'open';
  }
  async shut(): Promise<string> {
    return 'shut';
  }
}
declare module '#core' {
  interface Models {
    'rpc.currency': Currency;
    'rpc.partner': Partner;
    'rpc.sale': Sale;
    'rpc.line': Line;
    'rpc.tag': Tag;
    'rpc.hidden': Hidden;
  }
}

const addon: AddonDefinition = {
  name: 'rpc',
  title: '',
  summary: '',
  version: '1.0.0',
  models: [Currency, Partner, Sale, Line, Tag, Hidden],
  access: [
    access(Currency, { 'x.user': 'r' }),
    access(Partner, { 'x.user': 'r' }),
    access(Sale, { 'x.user': 'rwcd' }),
    access(Line, { 'x.user': 'rwcd' }),
    access(Tag, { 'x.user': 'rwcd' }),
  ],
  rules: [rule('rpc.partner', Partner, { domain: () => [['name', '!=', 'Hidden']] })],
  public: {
    methods: [
      publicMethod(Partner, 'greet', { right: 'write', writes: false }),
      publicMethod(Hidden, 'open', { right: { none: 'It tells nothing.' }, writes: false, onRecords: false }),
      publicMethod(Hidden, 'shut', { right: 'read', writes: false, onRecords: false }),
      publicMethod(Sale, 'confirm', { right: 'read', writes: true }),
      publicMethod(Sale, 'add', { right: 'read', writes: false, args: z.tuple([z.number(), z.number()]) }),
      publicMethod(Sale, 'totals', {
        right: 'read',
        writes: false,
        onRecords: false,
        args: z.object({ of: z.string() }),
      }),
    ],
  },
};
const user: Viewer = { id: 1, groups: ['x.user'] };

eachDatabase('Calls from outside', (dialect) => {
  let kit: ModelKit;
  let euro = 0;
  let yen = 0;
  let ann = 0;
  let unseen = 0;
  beforeAll(async () => {
    kit = await createModelKit(dialect, [addon], { languages: ['en_US', 'fr_FR'] });
    await kit.write(
      async (ctx) => {
        [euro = 0, yen = 0] = await ctx
          .model(Currency)
          .create([{ name: 'EUR' }, { name: 'JPY', decimal_places: 0, rounding: '1' }]);
        [ann = 0, unseen = 0] = await ctx.model(Partner).create([{ name: 'Ann', phone: '1' }, { name: 'Hidden' }]);
      },
      { su: true },
    );
  });
  beforeEach(() =>
    kit.write(async (ctx) => ctx.model(Sale).unlink(await ctx.model(Sale).search([['active', 'in', [true, false]]])), {
      su: true,
    }),
  );
  afterAll(() => kit.close());

  const call = async (
    method: string,
    args: readonly unknown[] = [],
    kwargs: object = {},
    about: { model?: string; viewer?: Viewer } = {},
  ) => {
    const { model: name = 'rpc.sale', viewer = user } = about;
    const given = { model: name, method, args, kwargs: kwargs as Record<string, unknown> };
    const ctx = kit.ctx(viewer);
    const prepared = await prepareModelCall(ctx, given);
    const answer = methodWrites(internals(ctx).generation, name, method)
      ? await kit.write((writing) => callModel(writing, prepared), viewer)
      : await callModel(ctx, prepared);
    // As it goes over the wire.
    return JSON.parse(JSON.stringify(answer));
  };
  const sale = (values: object = {}): Promise<number> => call('create', [{ name: 'S1', ...values }]);

  describe('that read', () => {
    test('answer records in the shapes of Odoo', async () => {
      const id = await sale({
        partner_id: ann,
        currency_id: euro,
        state: 'sale',
        amount: 12.5,
        rate: 0.125,
        qty: 0,
        weight: 1.5,
        day: '2026-11-30',
        moment: '2026-11-21 10:11:12',
        paid: true,
        note: '<p>x</p>',
        file: Buffer.from('hello').toString('base64'),
        tag_ids: [[0, 0, { name: 'red' }]],
        line_ids: [[0, 0, { name: 'l', price: 3.25 }]],
      });
      const [row] = await call('search_read', [[['id', '=', id]]]);
      expect(row).toMatchObject({
        id,
        display_name: 'S1',
        name: 'S1',
        partner_id: [ann, 'Ann'],
        currency_id: [euro, 'EUR'],
        state: 'sale',
        amount: 12.5,
        rate: 0.125,
        qty: 0,
        weight: 1.5,
        day: '2026-11-30',
        moment: '2026-11-21 10:11:12',
        paid: true,
        note: '<p>x</p>',
        file: 'aGVsbG8=',
        active: true,
        shout: 'S1',
        karma: false,
        create_uid: 1,
        tag_ids: [expect.any(Number)],
        line_ids: [expect.any(Number)],
      });
      expect(row.create_date).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
      expect(Object.keys(row)).not.toEqual(expect.arrayContaining(['token']));
      expect(Object.keys(row)).not.toEqual(expect.arrayContaining(['salary']));
      expect(await call('read', [row.line_ids, ['price', 'sale_id']], {}, { model: 'rpc.line' })).toEqual([
        { id: row.line_ids[0], price: 3.25, sale_id: [id, 'S1'] },
      ]);
      expect(await call('read', [[id], ['file']], { context: { bin_size: true } })).toEqual([
        { id, file: '5.00 bytes' },
      ]);
    });

    test('answer false for what is empty, one record for an id, and refuse ids that are not there', async () => {
      const id = await sale();
      const fields = ['partner_id', 'amount', 'rate', 'qty', 'day', 'moment', 'paid', 'note', 'file', 'tag_ids'];
      expect(await call('read', [id, fields])).toEqual({
        id,
        partner_id: false,
        amount: false,
        rate: false,
        qty: false,
        day: false,
        moment: false,
        paid: false,
        note: false,
        file: false,
        tag_ids: [],
      });
      expect((await refusal(call('read', [[id, 99_999], ['name']]))).code).toBe('core.no_record');
      expect((await refusal(call('name_get', [[99_999]]))).code).toBe('core.no_record');
      expect(await call('exists', [[id, 99_999]])).toEqual([id]);
    });

    test('search, count and page, inactive records only when asked for', async () => {
      const a = await sale({ name: 'A', qty: 1 });
      const b = await sale({ name: 'B', qty: 2 });
      const c = await sale({ name: 'C', qty: 3, active: false });
      expect(await call('search', [[['qty', '>', 0]]])).toEqual([a, b]);
      expect(await call('search', [[]], { order: 'name desc', limit: 1 })).toEqual([b]);
      expect(await call('search', [[]], { offset: 1, context: { active_test: false } })).toEqual([b, c]);
      expect(await call('search', [[['active', '=', false]]])).toEqual([c]);
      expect(await call('search', [], { domain: [['name', 'ilike', 'b']], count: true })).toBe(1);
      expect(await call('search_count', [[]])).toBe(2);
      expect(await call('search_read', [], { domain: [], fields: ['name'], limit: false, order: false })).toEqual([
        { id: a, name: 'A' },
        { id: b, name: 'B' },
      ]);
      expect(await call('name_search', ['a'])).toEqual([[a, 'A']]);
      expect(await call('name_search', [], { name: '', args: [['qty', '=', 2]], limit: 5 })).toEqual([[b, 'B']]);
      expect(await call('name_get', [[b, a]])).toEqual([
        [b, 'B'],
        [a, 'A'],
      ]);
    });

    test('find records by the names of others, where theirs is made of those', async () => {
      const one = await sale({ name: 'Alpha', line_ids: [[0, 0, { name: 'Wheel' }]] });
      const two = await sale({ name: 'Beta', line_ids: [[0, 0, { name: 'Alphabet' }]] });
      const lines: number[] = (await call('read', [[one, two], ['line_ids']])).flatMap(
        (row: { line_ids: number[] }) => row.line_ids,
      );
      const named = async (name: string, operator = 'ilike') => {
        const rows = await call(
          'name_search',
          [],
          { name, operator, args: [['id', 'in', lines]] },
          { model: 'rpc.line' },
        );
        return rows.map(([id]: [number, string]) => lines.indexOf(id));
      };
      expect(await named('alpha')).toEqual([0, 1]);
      expect(await named('beta')).toEqual([1]);
      expect(await named('wheel', 'not ilike')).toEqual([1]);
      expect(await call('search', [[['line_ids', 'ilike', 'alpha']]])).toEqual([one, two]);
      expect(await call('search', [[['line_ids', 'ilike', 'wheel']]])).toEqual([one]);
    });

    test('compare amounts in major units, whatever digits their currency has', async () => {
      const e = await sale({ currency_id: euro, amount: 100.01 });
      const y = await sale({ currency_id: yen, amount: 100 });
      const n = await sale({ amount: 99.99 });
      const found = (...domain: unknown[]) => call('search', [domain]);
      expect(await found(['amount', '=', 100])).toEqual([y]);
      expect(await found(['amount', '>', 100])).toEqual([e]);
      expect(await found(['amount', '>=', 99.985])).toEqual([e, y, n]);
      expect(await found(['amount', '>', 99.995])).toEqual([e, y]);
      expect(await found(['amount', '<', 100.005])).toEqual([y, n]);
      expect(await found(['amount', 'in', [100, 99.99, 1.2345]])).toEqual([y, n]);
      expect(await found('!', ['amount', '=', 100])).toEqual([e, n]);
      expect(await found('|', ['amount', '=', 100.01], ['amount', '=', false])).toEqual([e]);
      expect(await found(['amount', '=', 0.001])).toEqual([]);
      expect(await found(['line_ids.price', '=', 1])).toEqual([]);
    });

    test('compare amounts as whoever reads them would', async () => {
      const amounts = fc.integer({ min: -300, max: 300 });
      const digits = (currency: number | boolean) => (currency === yen ? 0 : 2);
      await call('create', [
        [euro, yen, false].flatMap((currency_id) =>
          fc
            .sample(amounts, { numRuns: 15, seed: 7 })
            .map((minor) => ({ name: 'm', currency_id, amount: minor / 10 ** digits(currency_id) })),
        ),
      ]);
      const rows: { id: number; amount: number }[] = await call('search_read', [[], ['amount']]);
      const compare: Record<string, (one: number, other: number) => boolean> = {
        '=': (one, other) => one === other,
        '!=': (one, other) => one !== other,
        '<': (one, other) => one < other,
        '<=': (one, other) => one <= other,
        '>': (one, other) => one > other,
        '>=': (one, other) => one >= other,
      };
      const bounds = fc.oneof(
        amounts.map((n) => n / 100),
        amounts.map((n) => n / 1000),
        fc.constantFrom(...rows.map(({ amount }) => amount)),
      );
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...Object.keys(compare)),
          bounds,
          fc.boolean(),
          async (operator, bound, negated) => {
            const domain = negated ? ['!', ['amount', operator, bound]] : [['amount', operator, bound]];
            const wanted = rows
              .filter(({ amount }) => compare[operator]?.(amount, bound) !== negated)
              .map(({ id }) => id);
            expect(await call('search', [domain])).toEqual(wanted);
          },
        ),
        { numRuns: 60 },
      );
    });

    test('describe fields, and only those the caller may know of', async () => {
      const fields = await call('fields_get');
      expect(fields.name).toMatchObject({
        type: 'char',
        string: 'Number',
        help: 'Given by us',
        required: true,
        readonly: false,
      });
      expect(fields.state.selection).toEqual([
        ['draft', 'Quotation'],
        ['sale', 'Order'],
      ]);
      expect(fields.partner_id).toMatchObject({ type: 'many2one', relation: 'rpc.partner' });
      expect(fields.line_ids).toMatchObject({ type: 'one2many', relation: 'rpc.line', relation_field: 'sale_id' });
      expect(fields.amount).toMatchObject({ type: 'monetary', currency_field: 'currency_id' });
      expect(fields.rate).toMatchObject({ type: 'float', digits: [16, 3] });
      expect(fields.shout).toMatchObject({ readonly: true, store: false });
      expect(fields.token).toBeUndefined();
      expect(fields.salary).toBeUndefined();
      expect(await call('fields_get', [['name', 'token']], { attributes: ['type'] })).toEqual({
        name: { type: 'char' },
      });
      const boss = { id: 1, groups: ['x.user', 'x.boss'] };
      expect((await call('fields_get', [], {}, { viewer: boss })).salary).toMatchObject({ type: 'integer' });
    });

    test('group with totals, names, periods and the domain of each group', async () => {
      await sale({ partner_id: ann, currency_id: euro, amount: 1.5, qty: 2, moment: '2026-11-30 23:30:00' });
      await sale({ partner_id: ann, currency_id: yen, amount: 10, qty: 3, moment: '2026-10-05 10:00:00' });
      await sale({ amount: 0.25, moment: '2026-10-06 10:00:00' });
      expect(await call('read_group', [[], ['amount', 'qty', 'name'], ['partner_id', 'state']])).toEqual([
        {
          partner_id: false,
          partner_id_count: 1,
          amount: 0.25,
          qty: false,
          __domain: [['partner_id', '=', false]],
          __context: { group_by: ['state'] },
        },
        {
          partner_id: [ann, 'Ann'],
          partner_id_count: 2,
          amount: 11.5,
          qty: 5,
          __domain: [['partner_id', '=', ann]],
          __context: { group_by: ['state'] },
        },
      ]);
      const months = await call('read_group', [[['qty', '>', 0]], ['qty:max'], ['moment:month', 'state']], {
        lazy: false,
        orderby: 'moment:month desc',
        context: { tz: 'Europe/Brussels' },
      });
      expect(months).toEqual([
        {
          'moment:month': 'December 2026',
          state: 'draft',
          qty: 2,
          __count: 1,
          __domain: [
            ['moment', '>=', '2026-11-30 23:00:00'],
            ['moment', '<', '2026-12-31 23:00:00'],
            ['state', '=', 'draft'],
            ['qty', '>', 0],
          ],
        },
        {
          'moment:month': 'October 2026',
          state: 'draft',
          qty: 3,
          __count: 1,
          __domain: [
            ['moment', '>=', '2026-09-30 22:00:00'],
            ['moment', '<', '2026-10-31 23:00:00'],
            ['state', '=', 'draft'],
            ['qty', '>', 0],
          ],
        },
      ]);
      for (const { __domain } of months) expect(await call('search_count', [__domain])).toBe(1);
      expect(await call('read_group', [[], ['qty'], []])).toEqual([{ qty: 5, __count: 3, __domain: [] }]);
      expect((await refusal(call('read_group', [[], [], ['token']]))).status).toBe(422);
      expect((await refusal(call('read_group', [[], [], ['qty']], { orderby: 'name' }))).code).toBe('core.bad_group');
    });

    test('refuse fields that are not there, wherever they are named: what comes from outside is no fault of the code', async () => {
      const id = await sale();
      const ways: readonly [method: string, args: readonly unknown[], kwargs?: object][] = [
        ['search_read', [[], ['nope']]],
        ['search_read', [[['nope', '=', 1]], ['name']]],
        ['search_read', [[['partner_id.nope', '=', 1]], ['name']]],
        ['search_read', [[['name.nope', '=', 1]], ['name']]],
        ['search_read', [[['Name', '=', 1]], ['name']]],
        ['search_read', [[['name', 'is', 1]], ['name']]],
        ['search_read', [['name'], ['name']]],
        ['search_read', [[], ['name']], { order: 'nope' }],
        ['search_read', [[], ['name']], { order: 'partner_id.nope desc' }],
        ['search_read', [[], ['name']], { order: 'name; drop' }],
        ['search', [[['nope', '=', 1]]]],
        ['search_count', [[['nope', '=', 1]]]],
        ['read', [[id], ['nope']]],
        ['read', [[id], ['name.nope']]],
        ['read_group', [[], [], ['nope']]],
        ['read_group', [[], [], ['nope:month']]],
        ['read_group', [[], ['nope:sum'], ['state']]],
        ['read_group', [[['nope', '=', 1]], [], ['state']]],
        ['read_group', [[], [], ['state']], { orderby: 'nope' }],
        ['name_search', ['x', [['nope', '=', 1]]]],
        ['create', [{ name: 'x', nope: 1 }]],
        ['create', [{ name: 'x', line_ids: [[0, 0, { nope: 1 }]] }]],
        ['write', [[id], { nope: 1 }]],
        ['copy', [id, { nope: 1 }]],
      ];
      for (const [method, args, kwargs] of ways) {
        const { status } = await refusal(call(method, args, kwargs));
        expect([method, args, status]).toEqual([method, args, 422]);
      }
    });

    test('answer defaults, rights and public methods', async () => {
      const id = await sale();
      expect(await call('default_get', [['state', 'active', 'name', 'token', 'nope']])).toEqual({
        state: 'draft',
        active: true,
      });
      expect(await call('check_access_rights', ['write'])).toBe(true);
      expect(await call('check_access_rights', ['write', false], {}, { model: 'rpc.partner' })).toBe(false);
      expect((await refusal(call('check_access_rights', ['write'], {}, { model: 'rpc.partner' }))).status).toBe(403);
      expect(await call('confirm', [[id]])).toBe('2026-11-21 10:00:00');
      expect(await call('read', [id, ['state']])).toEqual({ id, state: 'sale' });
      expect(await call('add', [id, 2, 3])).toBe(6);
      expect(await call('totals', [], { of: 'all' })).toEqual({ all: 1 });
      expect(await call('totals', [{ of: 'all' }])).toEqual({ all: 1 });
      for (const args of [[], ['x'], [[id], 2], [[id], '2', 3], [[-1], 2, 3]]) {
        expect((await refusal(call('add', args))).code).toBe('core.bad_arguments');
      }
      expect((await refusal(call('confirm', [[id], 1]))).code).toBe('core.bad_arguments');
    });

    test('ask for the right that a declared method needs, before it runs', async () => {
      expect(await refusal(call('greet', [[ann]], {}, { model: 'rpc.partner' }))).toMatchObject({
        status: 403,
        code: 'core.access_denied',
      });
      expect(await call('greet', [[ann]], {}, { model: 'rpc.partner', viewer: { su: true } })).toBe(1);
      // Without any right the model is not there, unless the method is for everybody.
      expect((await refusal(call('shut', [], {}, { model: 'rpc.hidden' }))).code).toBe('core.no_model');
      expect(await call('open', [], {}, { model: 'rpc.hidden' })).toBe('open');
    });
  });

  describe('that write', () => {
    test('create one or several, change, copy and delete', async () => {
      const ids = await call('create', [[{ name: 'a' }, { name: 'b' }]]);
      expect(ids).toHaveLength(2);
      expect(await call('write', [ids, { qty: 7, partner_id: [ann, 'Ann'] }])).toBe(true);
      expect(await call('read', [ids, ['qty', 'partner_id']])).toEqual(
        ids.map((id: number) => ({ id, qty: 7, partner_id: [ann, 'Ann'] })),
      );
      expect(await call('write', [ids[0], { partner_id: false, qty: false }])).toBe(true);
      const copied = await call('copy', [ids[1]], { default: { name: 'c' } });
      expect(await call('read', [copied, ['name', 'qty']])).toEqual({ id: copied, name: 'c', qty: 7 });
      expect(await call('unlink', [[...ids, copied]])).toBe(true);
      expect(await call('search_count', [[]])).toBe(0);
      const [id, name] = await call('name_create', ['blue'], {}, { model: 'rpc.tag' });
      expect(name).toBe('blue');
      expect(await call('read', [id, ['name']], {}, { model: 'rpc.tag' })).toEqual({ id, name: 'blue' });
    });

    test('take the commands of Odoo for lines and links', async () => {
      const id = await sale({
        line_ids: [
          [0, 0, { name: 'a' }],
          [0, false, { name: 'b' }],
        ],
        tag_ids: [[0, 0, { name: 'x' }]],
      });
      const {
        line_ids: [a, b],
        tag_ids: [x],
      } = await call('read', [id, ['line_ids', 'tag_ids']]);
      const other = (await call('name_create', ['y'], {}, { model: 'rpc.tag' }))[0];
      await call('write', [
        [id],
        {
          line_ids: [
            [1, a, { name: 'A' }],
            [2, b, false],
            [0, 0, { name: 'c' }],
          ],
          tag_ids: [
            [3, x],
            [4, other],
          ],
        },
      ]);
      const after = await call('read', [id, ['line_ids', 'tag_ids']]);
      expect(after.tag_ids).toEqual([other]);
      expect(
        (await call('read', [after.line_ids, ['name']], {}, { model: 'rpc.line' })).map(
          (row: { name: string }) => row.name,
        ),
      ).toEqual(['A', 'c']);
      await call('write', [[id], { tag_ids: [[6, 0, [x, other]]], line_ids: [[5]] }]);
      expect(await call('read', [id, ['line_ids', 'tag_ids']])).toEqual({ id, line_ids: [], tag_ids: [x, other] });
      await call('write', [[id], { tag_ids: [[5, 0, 0]] }]);
      expect(await call('read', [id, ['tag_ids']])).toEqual({ id, tag_ids: [] });
    });

    test('take amounts in the currency of each record, and refuse broken minor units', async () => {
      const e = await sale({ currency_id: euro, amount: 0.1 + 0.2 });
      const y = await sale({ currency_id: yen, line_ids: [[0, 0, { price: 500 }]] });
      expect(await kit.sql('select amount from rpc_sale where id = ?', e)).toEqual([{ amount: 30 }]);
      expect(await kit.sql('select price from rpc_line where sale_id = ?', y)).toEqual([{ price: 500 }]);
      await call('write', [[e, y], { amount: 12 }]);
      expect(await kit.sql('select amount from rpc_sale order by id')).toEqual([{ amount: 1200 }, { amount: 12 }]);
      expect((await refusal(call('write', [[y], { amount: 12.5 }]))).fields.amount).toContain('at most 0');
      expect((await refusal(call('write', [[e, y], { amount: 12.5 }]))).fields.amount).toContain('at most 0');
      expect((await refusal(call('write', [[e], { amount: 'abc' }]))).fields).toHaveProperty('amount');
      await call('write', [[e], { currency_id: yen, amount: 7 }]);
      expect(await call('read', [e, ['amount']])).toEqual({ id: e, amount: 7 });
      const line = await call('create', [{ sale_id: y, price: 8 }], {}, { model: 'rpc.line' });
      expect(await kit.sql('select price from rpc_line where id = ?', line)).toEqual([{ price: 8 }]);
    });

    test('store nothing in fields that are not for callers (C05)', async () => {
      const id = await sale();
      const before = await kit.sql('select * from rpc_sale');
      const extra = {
        id: 5,
        create_uid: 7,
        write_date: '2026-01-01 00:00:00',
        karma: 1e9,
        token: 'mine',
        salary: 1,
        shout: 'X',
        display_name: 'x',
        is_admin: true,
        __proto__: { polluted: 1 },
        constructor: { prototype: 1 },
        currency_id: { $ref: 'x' },
      };
      for (const [name, value] of Object.entries(extra)) {
        expect((await refusal(call('write', [[id], { qty: 1, [name]: value }]))).status).toBe(422);
      }
      expect(await kit.sql('select * from rpc_sale')).toEqual(before);
      await call('write', [[id], JSON.parse('{"paid":true,"__proto__":{"polluted":1}}')]);
      expect(Object.keys(Object.prototype)).toEqual([]);
      const words = async (name: string) => (await refusal(call('write', [[id], { [name]: 1 }]))).fields[name];
      expect(new Set([await words('token'), await words('salary'), await words('nope')]).size).toBe(1);
    });

    test('take files as their content only, never by name', async () => {
      const hash = 'a'.repeat(64);
      for (const file of [
        { hash, mimetype: 'text/plain', size: 1 },
        [1],
        5,
        true,
        '!!!',
        { ref: { hash, mimetype: 'text/plain', size: 1 } },
      ]) {
        expect((await refusal(sale({ file }))).fields.file).toContain('base64');
      }
      expect((await refusal(sale({ line_ids: [[0, 0, { sale_id: 1, name: { $ref: 1 } }]] }))).fields).toHaveProperty([
        'line_ids.name',
      ]);
    });

    test('link only to what the caller may see', async () => {
      expect((await refusal(sale({ partner_id: unseen }))).fields).toEqual({
        partner_id: `There is no such record: ${unseen}.`,
      });
      expect((await refusal(call('create', [{ name: 'x' }], {}, { model: 'rpc.partner' }))).code).toBe(
        'core.access_denied',
      );
    });
  });

  describe('for what is not offered', () => {
    const refusedAlike = async (model_: string, method: string, args: readonly unknown[] = [[]]) => {
      const error = await refusal(call(method, args, {}, { model: model_ }));
      return [error.status, error.code];
    };

    test('are refused: private, inherited and undeclared methods of a model', async () => {
      const names = [
        '_private',
        'hidden',
        'computeShout',
        'constructor',
        'toString',
        '__proto__',
        'hasOwnProperty',
        'find',
        'sudo',
        'ctx',
        'beforeCreate',
        'validate',
        'fields',
        'modelName',
        '',
        'x'.repeat(65),
      ];
      for (const name of names) expect([404, 422]).toContain((await refusedAlike('rpc.sale', name))[0]);
      expect(
        new Set(
          await Promise.all(names.slice(0, -2).map(async (name) => (await refusedAlike('rpc.sale', name)).join())),
        ),
      ).toEqual(new Set(['404,core.no_method']));
    });

    test('are refused: models that are not there, or not for the caller, in the same words', async () => {
      expect(await refusedAlike('rpc.nope', 'read')).toEqual(await refusedAlike('rpc.hidden', 'read'));
      expect(await refusedAlike('__proto__', 'read')).toEqual([404, 'core.no_model']);
      expect((await refusal(call('search', [[]], {}, { viewer: {} }))).code).toBe('core.no_model');
    });

    test('are refused: secret fields, wherever they are named', async () => {
      await sale();
      for (const name of ['token', 'salary', 'nope']) {
        expect((await refusal(call('read', [[1], [name]]))).status).toBe(422);
        expect((await refusal(call('search_read', [[], [name]]))).status).toBe(422);
        expect((await refusal(call('search', [[[name, '=', 'hush']]]))).status).toBe(422);
        expect((await refusal(call('search', [[]], { order: name }))).status).toBe(422);
        expect((await refusal(call('read_group', [[], [name], ['state']]))).status).toBe(422);
      }
      expect((await refusal(call('search', [[['line_ids.sale_id.token', '=', 'hush']]]))).status).toBe(422);
    });

    test('are passed over: keys of the context that lift rights', async () => {
      const context = {
        su: true,
        uid: 1,
        sudo: true,
        user: { id: 1 },
        groups: ['x.boss'],
        active_test: 1,
        lang: '../fr',
        tz: 'Mars/X',
        __proto__: { su: true },
      };
      expect((await refusal(call('read', [[1], ['salary']], { context }))).status).toBe(422);
      expect((await refusal(call('search', [[]], { context }, { model: 'rpc.hidden' }))).code).toBe('core.no_model');
    });

    test('whatever they are, end in an answer or a refusal, and change no prototype (C18, C20)', async () => {
      const id = await sale({ currency_id: euro, amount: 1 });
      const keys = fc.constantFrom(
        '__proto__',
        'constructor',
        'prototype',
        'name',
        'amount',
        'line_ids',
        'tag_ids',
        'moment',
        'file',
        'partner_id',
        'token',
        'toString',
        'context',
        'args',
        'domain',
        'vals',
        'ids',
        'limit',
        '0',
      );
      const atoms = fc.oneof(
        {
          weight: 2,
          arbitrary: fc.constantFrom<unknown>(
            null,
            true,
            false,
            0,
            1,
            -1,
            id,
            1.5,
            2 ** 53,
            -(2 ** 63),
            1e308,
            '',
            '0',
            'name',
            'id',
            '\0',
            '\ud800',
            '%_\\',
            "';--",
            '=',
            'in',
            '|',
            '!',
            '&',
            'child_of',
            'a'.repeat(5000),
            '2026-11-21 10:00:00',
            '9999-99-99',
          ),
        },
        fc.string({ unit: 'binary', maxLength: 8 }),
        fc.integer({ min: -2, max: 7 }),
      );
      const { value } = fc.letrec<{ value: unknown; list: unknown[]; object: object }>((tie) => ({
        value: fc.oneof({ depthSize: 'small', withCrossShrink: true }, atoms, tie('list'), tie('object')),
        list: fc.array(tie('value'), { maxLength: 4 }),
        object: fc.array(fc.tuple(keys, tie('value')), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
      }));
      const domains = fc.array(
        fc.oneof(
          fc.constantFrom('&', '|', '!'),
          fc.tuple(
            fc.constantFrom(
              'name',
              'amount',
              'partner_id',
              'line_ids.price',
              'moment',
              'active',
              'id',
              'token',
              'shout',
              'tag_ids.name',
            ),
            fc.constantFrom('=', '!=', 'in', 'not in', '<', 'ilike', 'child_of', 'matches'),
            value,
          ),
        ),
        { maxLength: 4 },
      );
      const methods = fc.constantFrom(
        'search',
        'search_read',
        'search_count',
        'read',
        'read_group',
        'fields_get',
        'name_search',
        'name_get',
        'name_create',
        'default_get',
        'exists',
        'check_access_rights',
        'create',
        'write',
        'copy',
        'unlink',
        'confirm',
        'add',
        'totals',
        'nope',
      );
      const calls = fc.record({
        method: methods,
        args: fc.oneof(
          fc.array(value, { maxLength: 4 }),
          fc.tuple(domains),
          fc.tuple(fc.constant([id]), fc.dictionary(keys, value, { maxKeys: 4 })),
          fc.tuple(fc.dictionary(keys, value, { maxKeys: 4 })),
        ),
        kwargs: fc.dictionary(keys, value, { maxKeys: 3 }),
      });
      await fc.assert(
        fc.asyncProperty(calls, async ({ method, args, kwargs }) => {
          const sent = JSON.parse(JSON.stringify({ args, kwargs }));
          const outcome = await call(method, sent.args, sent.kwargs).catch((error: unknown) => error);
          if (outcome instanceof Error) {
            expect({
              outcome: String(outcome),
              isExpected: outcome instanceof PergolaError && outcome.status < 500,
            }).toMatchObject({ isExpected: true });
          } else {
            expect(JSON.stringify(outcome)).not.toContain('hush');
          }
        }),
        { numRuns: 500 },
      );
      expect(Object.keys(Object.prototype)).toEqual([]);
      expect('polluted' in {}).toBe(false);
    });

    test('are refused: more records than one answer holds', async () => {
      expect((await refusal(call('search', [[]], { limit: 10_001 }))).code).toBe('core.bad_arguments');
      expect((await refusal(call('read', [Array.from({ length: 10_001 }, (_, n) => n + 1)]))).code).toBe(
        'core.bad_arguments',
      );
      await kit.write(
        async (ctx) => {
          const names = Array.from({ length: 5_001 }, (_, n) => ({ name: String(n) }));
          await ctx.model(Tag).create(names);
          await ctx.model(Tag).create(names);
        },
        { su: true },
      );
      expect((await refusal(call('search', [[]], {}, { model: 'rpc.tag' }))).code).toBe('core.too_many_records');
      expect(await call('search', [[]], { limit: 10_000 }, { model: 'rpc.tag' })).toHaveLength(10_000);
    });
  });
});
