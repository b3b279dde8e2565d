import { formatAmount, formatQuantity, SaleOrder } from '#addons/sale';
import { type Ctx, type Decimal, decimal, type Id } from '#core';
import { QuotedOrder } from '../models/sale-order.ts';
import { QuotedLine } from '../models/sale-order-line.ts';
import { SaleOrderOption } from '../models/sale-order-option.ts';
import { isExpired } from './find-quote.ts';

/** What a customer wants of a line: one more, one less, or none of it. */
export type LineChange = 'more' | 'less' | 'unlink';

/** The most of one thing a customer can ask for by themselves. */
const MOST = '9999';

/**
 * Changes a line of a quotation. Answers the new quantity and the order's total as texts; null when the page has to be read anew: the line is gone, is
 * none of this quotation, or the quotation cannot be changed (any more). `system` comes from `findQuote`.
 */
export async function changeLine(
  system: Ctx,
  order: Id,
  line: Id,
  change: LineChange,
): Promise<readonly [quantity: string, total: string] | null> {
  await system.lock(SaleOrder, [order]);
  const about = await openQuote(system, order);
  const lines = system.model(QuotedLine);
  const row = await lines.first(
    [
      ['id', '=', line],
      ['order_id', '=', order],
    ],
    { select: { product_uom_qty: true, option_line_id: true } },
  );
  if (!about || !row || (!about.customer_changes && row.option_line_id.length === 0)) return null;
  if (change === 'unlink') {
    // The last line stays: a quotation of nothing is none.
    if (about.order_line.length > 1) await byCustomer(system, order, () => lines.unlink(line));
    return null;
  }
  const quantity = nextQuantity(row.product_uom_qty, change);
  await byCustomer(system, order, () => lines.write(line, { product_uom_qty: quantity }));
  const { amount_total, currency_id } = await system
    .model(SaleOrder)
    .get(order, { select: { amount_total: true, currency_id: true } });
  return [formatQuantity(system, quantity), await formatAmount(system, amount_total ?? 0, currency_id)];
}

/** Takes an option, at the price it was offered at; one that is taken already stays. Answers whether it is on the quotation. */
export async function takeOption(system: Ctx, order: Id, option: Id): Promise<boolean> {
  await system.lock(SaleOrder, [order]);
  if (!(await openQuote(system, order))) return false;
  const options = system.model(SaleOrderOption);
  const row = await options.first(
    [
      ['id', '=', option],
      ['order_id', '=', order],
    ],
    {
      select: {
        line_id: true,
        product_id: true,
        name: true,
        quantity: true,
        uom_id: true,
        price_unit: true,
        discount: true,
        website_description: true,
      },
    },
  );
  if (!row) return false;
  if (row.line_id !== null) return true;
  const line = await byCustomer(system, order, () =>
    system.model(QuotedLine).create({
      order_id: order,
      sequence: 1_000 + row.id,
      product_id: row.product_id,
      name: row.name,
      product_uom_qty: row.quantity,
      product_uom: row.uom_id,
      price_unit: row.price_unit,
      discount: row.discount,
      website_description: row.website_description,
    }),
  );
  await options.write(option, { line_id: line });
  return true;
}

/** A change by the customer, who knows what they have changed; what others changed before stays unknown to them. */
async function byCustomer<T>(system: Ctx, order: Id, change: () => Promise<T>): Promise<T> {
  const orders = system.model(QuotedOrder);
  const { version, seen_version } = await orders.get(order, { select: { version: true, seen_version: true } });
  const done = await change();
  if (version === seen_version) await orders.markSeen([order]);
  return done;
}

/** What is looked at before anything is changed; null when nothing may be. */
async function openQuote(
  system: Ctx,
  id: Id,
): Promise<{ readonly customer_changes: boolean; readonly order_line: readonly Id[] } | null> {
  const row = await system.model(QuotedOrder).get(id, {
    select: { state: true, validity_date: true, customer_changes: true, order_line: true },
  });
  const open = row.state === 'draft' || row.state === 'sent';
  return open && !isExpired(system, row.validity_date) ? row : null;
}

/** One more or less; never below one, nor below what there was if it was less than one. */
function nextQuantity(quantity: Decimal, change: 'more' | 'less'): Decimal {
  const now = decimal(quantity);
  const next = change === 'more' ? now.plus('1') : now.minus('1');
  if (next.lt('1') && change === 'less') return quantity;
  return (decimal(MOST).lt(next.toString()) ? quantity : next.toString()) as Decimal;
}
