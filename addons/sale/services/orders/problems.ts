import type { Ctx, Id, Ids } from 'pergola';
import { ProductProduct } from '../../models/product-product.ts';
import { SaleOrderLine } from '../../models/sale-order-line.ts';
import { t } from '../../texts.ts';
import { Stock } from '../stock/stock.ts';
import { currentOffers, isSameOffer } from './current-offers.ts';
import { shortText } from './line-request.ts';

/** A reason why an order can't proceed. */
export interface OrderProblem {
  /** Permanent codes: `sale.empty`, `sale.not_sold`, `sale.price_changed`, `sale.text_changed`, `sale.list_gone`, `sale.short`. */
  readonly code: string;
  /** Message for the customer, in the context's language. */
  readonly message: string;
  /** Affected line. */
  readonly line: Id | null;
  /**
   * How long the problem matters:
   *
   * - `offer` (default): until the customer has paid or announced a payment. The agreed terms apply afterwards.
   * - `item`: also when the payment arrives, because the item itself was removed or changed. Staff may still confirm the order.
   * - `final`: always. Nothing can confirm the order until the problem is resolved.
   */
  readonly reach?: 'offer' | 'item' | 'final';
  /** How to update the order: the line takes over the current offer (`renew`) or is deleted (`remove`); missing for shortages. */
  readonly remedy?: 'renew' | 'remove';
}

/** Whether a problem also affects placed orders that only await payment. */
export function holdsForMoney({ reach }: OrderProblem): boolean {
  return reach === 'item' || reach === 'final';
}

/** Lists why an order can't proceed, except for the reasons of extensions. Needs elevated rights. */
export async function orderProblems(ctx: Ctx, id: Id): Promise<OrderProblem[]> {
  const { order_line, is_cart, state, lang, pricelist_id } = await ctx.model('sale.order').get(id, {
    select: {
      state: true,
      is_cart: true,
      lang: true,
      pricelist_id: { active: true, name: true },
      order_line: { product_id: true, name: true },
    },
  });
  if (!isOpen(state)) return [];
  if (order_line.length === 0) return [{ code: 'sale.empty', message: t(ctx, 'The order is empty.'), line: null }];
  const products = order_line.flatMap(({ product_id }) => product_id ?? []);
  const buyable = await ctx.model(ProductProduct).buyable(products);
  const unsoldLines = order_line.filter(({ product_id }) => product_id !== null && !buyable.has(product_id));
  const problems: OrderProblem[] = unsoldLines.map(({ id: line, name }) => ({
    code: 'sale.not_sold',
    message: t(ctx, '“{name}” is no longer sold.', { name: firstLine(name) }),
    line,
    reach: 'item',
    remedy: 'remove',
  }));
  if (is_cart && pricelist_id?.active === false) {
    problems.push({
      code: 'sale.list_gone',
      message: t(ctx, 'The prices of “{list}” no longer apply.', { list: pricelist_id.name }),
      line: null,
      remedy: 'renew',
    });
  }
  const retaxed = is_cart
    ? await retaxedLines(
        ctx,
        order_line.map((line) => line.id),
      )
    : new Set<Id>();
  // Prices a salesperson agreed with a customer apply regardless of the shop's offer.
  for (const { id: line, name, offer, ...prices } of is_cart ? await currentOffers(ctx, id) : []) {
    if (unsoldLines.some((unsoldLine) => unsoldLine.id === line)) continue;
    const common = { line, remedy: 'renew' } as const;
    if (!offer) {
      const message = t(ctx, '“{name}” is no longer sold.', { name: firstLine(name) });
      problems.push({ line, code: 'sale.not_sold', message, remedy: 'remove' });
    } else if (!isSameOffer({ ...prices, offer }) || retaxed.has(line)) {
      const message = t(ctx, 'The price of “{name}” has changed.', { name: firstLine(offer.name) });
      problems.push({ ...common, code: 'sale.price_changed', message });
    } else if (lang !== null && offer.name !== name) {
      const message = t(ctx, 'The description of “{name}” has changed.', { name: firstLine(offer.name) });
      problems.push({ ...common, code: 'sale.text_changed', message });
    }
  }
  const needs = await ctx.model(SaleOrderLine).needs(order_line.map((line) => line.id));
  for (const short of await ctx.get(Stock).shortages(needs, { order: id, locked: false }))
    problems.push({ code: 'sale.short', message: shortText(ctx, [short]), line: short.line });
  return problems;
}

/** Finds lines whose amount has changed because of a new tax rate. */
async function retaxedLines(ctx: Ctx, lines: Ids): Promise<ReadonlySet<Id>> {
  const rows = await ctx
    .model(SaleOrderLine)
    .read(lines, { select: { price_subtotal: true, price_tax: true, price_total: true } });
  const current = await ctx.model(SaleOrderLine).computeAmounts(lines);
  const changed = rows.filter(({ id, price_subtotal, price_tax, price_total }) => {
    const amounts = current.get(id);
    return (
      amounts?.price_subtotal !== price_subtotal ||
      amounts?.price_tax !== price_tax ||
      amounts?.price_total !== price_total
    );
  });
  return new Set(changed.map(({ id }) => id));
}

/** Joins distinct reasons for staff. */
export function blockNote(problems: readonly OrderProblem[]): string {
  return [...new Set(problems.map(({ message }) => message))].join('\n');
}

/** Whether an order is neither confirmed nor cancelled. */
export function isOpen(state: string): boolean {
  return state === 'draft' || state === 'sent';
}

export function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? text;
}
