import { Conflict, type Ctx, type FieldsOf, type Id, type Ids, type Values } from '#core';
import { PaymentTransaction } from '../../models/payment-transaction.ts';
import { SaleOrder } from '../../models/sale-order.ts';
import { SaleOrderLine } from '../../models/sale-order-line.ts';

/** What the customer agreed to: it stays as it was once they pay, and once it is an order. */
const agreed = [
  'partner_id',
  'pricelist_id',
  'currency_id',
  'fiscal_position',
  'company_id',
  'order_line',
  'invoice_name',
  'invoice_company',
  'invoice_email',
  'invoice_phone',
  'invoice_street',
  'invoice_street2',
  'invoice_zip',
  'invoice_city',
  'invoice_state_id',
  'invoice_country_id',
  'invoice_vat',
  'shipping_same',
  'shipping_name',
  'shipping_company',
  'shipping_phone',
  'shipping_street',
  'shipping_street2',
  'shipping_zip',
  'shipping_city',
  'shipping_state_id',
  'shipping_country_id',
] as const;

/** States in which a quotation may change, unless it is being paid. */
const open = ['draft', 'sent'] as const;

/** @throws Conflict when an order is no open quotation, or is being paid */
export async function refuseUnlessEditable(
  ctx: Ctx,
  order: { readonly id: Id; readonly state: string },
): Promise<void> {
  if (order.state === 'draft') return;
  if (order.state !== 'sent') throw notOpen();
  const paying = await ctx
    .sudo() // Whether it is being paid holds for everybody.
    .model(PaymentTransaction)
    .count([
      ['sale_order_id', '=', order.id],
      ['is_open', '=', true],
    ]);
  if (paying > 0) throw beingPaid();
}

/**
 * Refuses changes of what was agreed on.
 *
 * @throws Conflict for orders that are no open quotations, or are being paid
 */
export async function refuseFrozen(ctx: Ctx, ids: Ids, values: Values<FieldsOf<SaleOrder>> | 'unlink'): Promise<void> {
  const deleting = values === 'unlink';
  if (!deleting && !agreed.some((name) => name in values)) return;
  const rows = await ctx
    .sudo() // The state decides, whoever may read it.
    .model(SaleOrder)
    .read(ids, { select: { state: true } });
  for (const row of rows) {
    if (deleting && row.state === 'cancel') continue;
    if (deleting && row.state !== 'draft') {
      throw new Conflict('Only quotations and cancelled orders can be deleted.', { code: 'sale.not_deletable' });
    }
    await refuseUnlessEditable(ctx, row);
  }
}

/**
 * Refuses changes of the lines of orders that are no open quotations, or are being paid; `ids` are the lines that change, `values` say where new or
 * moved ones go.
 */
export async function refuseFrozenLines(
  ctx: Ctx,
  ids: Ids,
  values: readonly Values<FieldsOf<SaleOrderLine>>[],
): Promise<void> {
  const system = ctx.sudo(); // The order's state decides, whoever may read it.
  // The system may bring in orders that are finished, with their lines: imports, demo data. What changes carts looks at their state itself.
  const isImport = ctx.su && ids.length === 0;
  const targets = isImport
    ? []
    : [...new Set(values.flatMap(({ order_id }) => (typeof order_id === 'number' ? [order_id] : [])))];
  const frozenLines =
    ids.length === 0 || (await areAllCarts(system, ids))
      ? 0
      : await system
          .model(SaleOrderLine)
          .count([
            ['id', 'in', ids],
            '|',
            ['order_id.state', 'not in', open],
            ['order_id.transaction_ids.is_open', '=', true],
          ]);
  const frozenTargets =
    targets.length === 0
      ? 0
      : await system
          .model(SaleOrder)
          .count([['id', 'in', targets], '|', ['state', 'not in', open], ['transaction_ids.is_open', '=', true]]);
  if (frozenLines + frozenTargets === 0) return;
  const rows = await system.model(SaleOrderLine).read(ids, { select: { order_id: { state: true } } });
  const orders = await system.model(SaleOrder).read(targets, { select: { state: true } });
  const states = [...rows.map(({ order_id }) => order_id?.state), ...orders.map(({ state }) => state)];
  throw states.some((state) => state !== 'draft' && state !== 'sent') ? notOpen() : beingPaid();
}

/** Whether the lines are of quotations for which no payment was begun: beginning one makes them `sent`. */
async function areAllCarts(ctx: Ctx, lines: Ids): Promise<boolean> {
  const rows = await ctx.model(SaleOrderLine).read(lines, { select: { order_id: true } });
  const orders = await ctx
    .model(SaleOrder)
    .read([...new Set(rows.map(({ order_id }) => order_id))], { select: { state: true } });
  return orders.every(({ state }) => state === 'draft');
}

function notOpen(): Conflict {
  return new Conflict('This is no quotation any more, so it cannot be changed.', { code: 'sale.not_open' });
}

function beingPaid(): Conflict {
  return new Conflict('This order is being paid, so it cannot be changed.', { code: 'sale.being_paid' });
}
