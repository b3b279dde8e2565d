import fc from 'fast-check';
import { eachDatabase, type ModelKit, refusal } from 'pergola/testing';
import { type CallKit, openCalls, removeSales } from './rpc-kit.ts';

eachDatabase('Calls from outside', (dialect) => {
  let kit: ModelKit;
  let [euro, yen, ann] = [0, 0, 0];
  let call: CallKit['call'];
  let sale: CallKit['sale'];
  beforeAll(async () => {
    ({ kit, euro, yen, ann, call, sale } = await openCalls(dialect));
  });
  beforeEach(() => removeSales(kit));
  afterAll(() => kit.close());

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

    test('refuse groups by periods that are none, and names that are too long', async () => {
      for (const field of ['moment:decade', 'qty:month'])
        expect(await refusal(call('read_group', [[], ['qty'], [field]]))).toMatchObject({
          code: 'core.bad_group',
          params: { field },
        });
      expect(await call('name_search', ['x'.repeat(1000)])).toEqual([]);
      expect((await refusal(call('name_search', ['x'.repeat(1001)]))).status).toBe(422);
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
      for (const args of [[], ['x'], [[id], 2], [[id], '2', 3], [[-1], 2, 3], [[1.5], 2, 3]]) {
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
      // Without any rights the model doesn't exist, unless the method is open to everyone.
      expect((await refusal(call('shut', [], {}, { model: 'rpc.hidden' }))).code).toBe('core.no_model');
      expect(await call('open', [], {}, { model: 'rpc.hidden' })).toBe('open');
    });
  });
});
