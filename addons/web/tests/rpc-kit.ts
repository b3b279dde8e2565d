import { access, f, type Ids, model, rule, z } from 'pergola';
import { createModelKit, type ModelKit, type TestDialect, type Viewer } from 'pergola/testing';
import { publicMethod, publicMethods } from '../points/public-methods.ts';
import { callModel, callWrites, prepareModelCall } from '../services/rpc/call.ts';

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
  tag_ids: f.many2many('rpc.tag', { empty: 'none' }),
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
export class Tag extends model('rpc.tag', { name: f.char({ required: true }) }) {}
class Hidden extends model('rpc.hidden', { name: f.char() }) {
  async open(): Promise<string> {
    return 'open';
  }
  async shut(): Promise<string> {
    return 'shut';
  }
}
declare module 'pergola' {
  interface Models {
    'rpc.currency': Currency;
    'rpc.partner': Partner;
    'rpc.sale': Sale;
    'rpc.line': Line;
    'rpc.tag': Tag;
    'rpc.hidden': Hidden;
  }
}

const addon = {
  name: 'rpc',
  models: [Currency, Partner, Sale, Line, Tag, Hidden],
  access: [
    access(Currency, { 'x.user': 'r' }),
    access(Partner, { 'x.user': 'r' }),
    access(Sale, { 'x.user': 'rwcd' }),
    access(Line, { 'x.user': 'rwcd' }),
    access(Tag, { 'x.user': 'rwcd' }),
  ],
  rules: [rule('rpc.partner', Partner, { domain: () => [['name', '!=', 'Hidden']] })],
};
const declared = [
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
];
const user: Viewer = { id: 1, groups: ['x.user'] };

/** Test kit for external calls: a database with a few records, and the calls of an ordinary user. */
export interface CallKit {
  readonly kit: ModelKit;
  readonly euro: number;
  readonly yen: number;
  readonly ann: number;
  /** A partner hidden from users by a record rule. */
  readonly unseen: number;
  /** Calls a method of a model (by default sales) in wire format. */
  call(
    method: string,
    args?: readonly unknown[],
    kwargs?: object,
    about?: { model?: string; viewer?: Viewer },
    // biome-ignore lint/suspicious/noExplicitAny: responses are JSON that tests look into.
  ): Promise<any>;
  /** Creates a sale. */
  sale(values?: object): Promise<number>;
}

export async function openCalls(dialect: TestDialect): Promise<CallKit> {
  const kit = await createModelKit(
    dialect,
    [addon],
    { languages: ['en_US', 'fr_FR'] },
    { [publicMethods.name]: declared },
  );
  const ids = await kit.write(
    async (ctx) => {
      const [euro = 0, yen = 0] = await ctx
        .model(Currency)
        .create([{ name: 'EUR' }, { name: 'JPY', decimal_places: 0, rounding: '1' }]);
      const [ann = 0, unseen = 0] = await ctx.model(Partner).create([{ name: 'Ann', phone: '1' }, { name: 'Hidden' }]);
      return { euro, yen, ann, unseen };
    },
    { su: true },
  );
  const call: CallKit['call'] = async (method, args = [], kwargs = {}, about = {}) => {
    const { model: name = 'rpc.sale', viewer = user } = about;
    const given = { model: name, method, args, kwargs: kwargs as Record<string, unknown> };
    const ctx = kit.ctx(viewer);
    const prepared = await prepareModelCall(ctx, given);
    const answer = callWrites(ctx, given)
      ? await kit.write((writing) => callModel(writing, prepared), viewer)
      : await callModel(ctx, prepared);
    return JSON.parse(JSON.stringify(answer));
  };
  return { kit, ...ids, call, sale: (values = {}) => call('create', [{ name: 'S1', ...values }]) };
}

/** Deletes all sales, including archived ones. */
export function removeSales(kit: ModelKit): Promise<void> {
  return kit.write(
    async (ctx) => ctx.model(Sale).unlink(await ctx.model(Sale).search([['active', 'in', [true, false]]])),
    { su: true },
  );
}
