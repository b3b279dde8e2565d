/**
 * What the compiler must infer and refuse; checked by `npm run check`, never run.
 */
import { type Ctx, data, extend, f, type Ids, mixin, model, ref, rule, via } from 'pergola';

const Published = mixin(
  'test.published',
  { website_published: f.boolean() },
  (Base) =>
    class extends Base {
      async publish(ids: Ids): Promise<void> {
        await this.write(ids, { website_published: true });
      }
    },
);

class Country extends model('test.country', { name: f.char({ required: true }), code: f.char() }) {}
class Partner extends model('test.partner', {
  name: f.char({ required: true }),
  country_id: f.many2one('test.country'),
  parent_id: f.many2one('test.partner'),
}) {}
class Order extends model(
  'test.order',
  {
    name: f.char({ required: true }),
    partner_id: f.many2one('test.partner', { required: true }),
    line_ids: f.one2many('test.order.line', 'order_id'),
    state: f.selection(['draft', 'sale'], { default: 'draft' }),
    amount: f.money(),
  },
  { mixins: [Published] },
) {
  async confirm(ids: Ids): Promise<string> {
    await this.write(ids, { state: 'sale' });
    const rows = await this.find([['partner_id.name', '=', 'x']], {
      select: { partner_id: { country_id: { code: true } }, line_ids: { qty: true, order_id: { name: true } } },
    });
    return rows[0]?.partner_id?.country_id?.code ?? '';
  }
}
class Line extends model('test.order.line', {
  order_id: f.many2one('test.order', { required: true }),
  qty: f.integer(),
}) {}
declare module 'pergola' {
  interface Models {
    'test.country': Country;
    'test.partner': Partner;
    'test.order': Order;
    'test.order.line': Line;
  }
}

const SignedOrder = extend(
  Order,
  { signer: f.char(), state: f.selectionAdd(['signed'], { onUninstall: { signed: 'sale' } }) },
  (Base) =>
    class extends Base {
      override async confirm(ids: Ids): Promise<string> {
        await this.write(ids, { signer: 'x', state: 'signed' });
        return super.confirm(ids);
      }
      async accept(ids: Ids): Promise<void> {
        await this.confirm(ids);
      }
    },
);
const EventLine = extend(Line, { ticket: f.char() });

export async function use(ctx: Ctx): Promise<unknown> {
  const orders = await ctx.model(SignedOrder).find(
    [
      ['signer', '=', 'x'],
      ['partner_id.name', 'ilike', 'y'],
    ],
    {
      select: {
        name: true,
        state: true,
        signer: true,
        amount: true,
        website_published: true,
        line_ids: via(EventLine, { ticket: true }),
      },
    },
  );
  const order = orders[0];
  if (!order) return null;
  const name: string = order.name;
  const signer: string | null = order.signer;
  const state: 'draft' | 'sale' | 'signed' = order.state;
  const published: boolean = order.website_published;
  const ticket: string | null | undefined = order.line_ids[0]?.ticket;
  await ctx.model(SignedOrder).accept([order.id]);
  await ctx.model(Order).publish([order.id]);
  await ctx.model(SignedOrder).write(order.id, { state: 'signed', signer: 'z', line_ids: [{ create: { qty: 1 } }] });
  // @ts-expect-error an unknown field
  await ctx.model(SignedOrder).write([1], { nope: 1 });
  // @ts-expect-error a state of the extension is unknown to the model below
  await ctx.model(Order).write([1], { state: 'signed' });
  // @ts-expect-error an unknown field in a domain
  await ctx.model(Order).find([['nope', '=', 1]], { select: { name: true } });
  // @ts-expect-error the model below does not know the extension's field
  await ctx.model(Order).write([1], { signer: 'x' });
  // @ts-expect-error not selected
  order.partner_id;
  // @ts-expect-error an unknown field beside a known one
  await ctx.model(Order).find([], { select: { name: true, nope: true } });
  // @ts-expect-error the same, deeper
  await ctx.model(Order).get(1, { select: { name: true, partner_id: { name: true, nope: true } } });
  // @ts-expect-error an unknown field in a deeper select
  await ctx.model(Order).find([], { select: { partner_id: { nope: true } } });
  return { name, signer, state, published, ticket };
}
/** What a field of the model is compared with is of its kind. */
export async function compared(ctx: Ctx): Promise<unknown> {
  const orders = ctx.model(SignedOrder);
  await orders.find([['state', 'in', ['draft', 'signed']]], { select: { name: true } });
  await orders.find([['partner_id', '=', 'Ada'], '|', ['website_published', '=', true], ['amount', '!=', false]], {
    select: { name: true },
  });
  await ctx.model(Order).count([['create_date', '=', ctx.now()]]);
  // @ts-expect-error a selection has no such value
  await ctx.model(Order).search([['state', '=', 'drafd']]);
  // @ts-expect-error nor one among others, in an extension
  await orders.count([['state', 'not in', ['signed', 'drafd']]]);
  // @ts-expect-error a boolean
  await orders.search([['website_published', '=', 'yes']]);
  // @ts-expect-error an amount
  await orders.search([['amount', '=', '12']]);
  // @ts-expect-error a moment
  await orders.search([['create_date', '!=', '2026-11-21']]);
  rule('test.sold', Order, { domain: () => [['state', '=', 'sale']] });
  // @ts-expect-error the same in a record rule
  rule('test.wrong', Order, { domain: async () => [['state', '=', 'sael']] });
  return orders;
}

/** Of a call that does not fit, the line that is wrong is accused: not the domain, not a field that is right. */
export async function accused(ctx: Ctx): Promise<unknown> {
  await ctx.model(Partner).find([['name', '=', 'x']], {
    select: {
      name: true,
      // @ts-expect-error an unknown field of a model without mixins
      nope: true,
    },
  });
  await ctx.model(Order).find([['state', '=', 'draft']], {
    select: {
      name: true,
      // @ts-expect-error of a model with a mixin
      nope: true,
    },
  });
  await ctx.model(SignedOrder).first([['signer', '=', 'x']], {
    limit: 1,
    select: {
      website_published: true,
      // @ts-expect-error of an extension, beside fields of the mixin and the extension
      nope: true,
    },
  });
  await ctx.model(SignedOrder).create({
    signer: 'x',
    // @ts-expect-error the same in values
    nope: 1,
  });
  const first: Parameters<Partner['create']>[0] = { name: 'x' };
  const second: Parameters<Order['create']>[0] = { name: 'x', website_published: true };
  const wrong: Parameters<Order['create']>[0] = {
    name: 'x',
    // @ts-expect-error what `create` takes is known
    nope: 'x',
  };
  return [first, second, wrong];
}

export async function several(ctx: Ctx): Promise<Ids> {
  const orders = ctx.model(Order);
  const [first, second] = await orders.create([{ name: 'A', partner_id: 1 }, { name: 'B' }]);
  const both: readonly [number, number] = [first, second];
  // @ts-expect-error no third was made
  const [, , third] = await orders.create([{ name: 'A' }, { name: 'B' }]);
  // @ts-expect-error no such field
  await orders.create([{ name: 'A' }, { nmae: 'B' }]);
  const made: number[] = await orders.create(both.map((partner_id) => ({ name: 'C', partner_id })));
  return [...made, Number(third)];
}

export const shipped = [
  data(Order, { a: { name: 'A', state: 'sale' } }),
  // Values of selections need no `as const`, even in what functions return.
  data(Order, async (ctx) => ({ a: { name: ctx.today(), state: 'sale' } })),
  data(Order, async () => {
    const partner_id = ref('base.main_partner');
    return { a: { name: 'A', state: 'draft', partner_id }, b: { name: 'B', state: 'sale' } };
  }),
  data(Order, async (ctx) => Object.fromEntries([1, 2].map((n) => [`a${n}`, { name: ctx.lang, state: 'draft' }]))),
  // @ts-expect-error never a value of the selection
  data(Order, async () => ({ a: { name: 'A', state: 'sold' } })),
  // @ts-expect-error no such field
  data(Order, async () => ({ a: { nmae: 'A' } })),
];
