import fc from 'fast-check';
import { PergolaError } from 'pergola';
import { eachDatabase, type ModelKit, refusal } from 'pergola/testing';
import { type CallKit, openCalls, removeSales, Tag } from './rpc-kit.ts';

eachDatabase('Calls from outside', (dialect, once) => {
  let kit: ModelKit;
  let [euro, yen, ann, unseen] = [0, 0, 0, 0];
  let call: CallKit['call'];
  let sale: CallKit['sale'];
  beforeAll(async () => {
    ({ kit, euro, yen, ann, unseen, call, sale } = await openCalls(dialect));
  });
  beforeEach(() => removeSales(kit));
  afterAll(() => kit.close());

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

    once('refuse what is no command for lines', async () => {
      for (const item of ['x', {}, []])
        expect(await refusal(sale({ line_ids: [item] }))).toMatchObject({
          status: 422,
          fields: { 'line_ids.0': 'A command is a list like [0, 0, values] or [4, id].' },
        });
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

    once('take files as their content only, never by name', async () => {
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
        'line_ids.0.name',
      ]);
    });

    once('link only to what the caller may see', async () => {
      expect((await refusal(sale({ partner_id: unseen }))).fields).toEqual({
        partner_id: `Record not found: ${unseen}.`,
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

    once('are refused: private, inherited and undeclared methods of a model', async () => {
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

    once('are passed over: keys of the context that lift rights', async () => {
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
        {
          numRuns: 500,
          examples: [
            [{ method: 'search', args: [[['line_ids.price', '=', [1e308]]]], kwargs: {} }],
            [{ method: 'search', args: [[['line_ids.price', '=', 1e308]]], kwargs: {} }],
          ],
        },
      );
      expect(Object.keys(Object.prototype)).toEqual([]);
      expect('polluted' in {}).toBe(false);
    });

    once('are refused: more records than one answer holds', async () => {
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
