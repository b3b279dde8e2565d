import { type Ctx, type Id, InvalidInput } from '#core';
import { ProductProduct } from '../../models/product-product.ts';
import { SaleOrder } from '../../models/sale-order.ts';
import { SaleOrderLine } from '../../models/sale-order-line.ts';
import { shortages } from '../stock/holds.ts';
import { currentOffers, sameOffer } from './reprice.ts';
import { shortText } from './set-line.ts';

/** Why an order cannot be paid as it is. */
export interface OrderProblem {
  /** Permanent: `sale.empty`, `sale.not_sold`, `sale.price_changed`, `sale.short`. */
  readonly code: string;
  /** For the customer, in the context's language. */
  readonly message: string;
  /** The line it is about. */
  readonly line: Id | null;
}

/** See `SaleOrder.problems`. Nothing is locked: what is limited is decided on when it is held, and this tells of it early. */
export async function problemsOf(given: Ctx, id: Id): Promise<OrderProblem[]> {
  await given.model(SaleOrder).get(id, { select: { state: true } });
  const ctx = given.sudo(); // Whoever has the order may know why it cannot be paid.
  const { order_line, is_cart } = await ctx
    .model(SaleOrder)
    .get(id, { select: { is_cart: true, order_line: { product_id: true, name: true } } });
  if (order_line.length === 0) return [{ code: 'sale.empty', message: ctx.t('There is nothing in it.'), line: null }];
  const products = order_line.flatMap(({ product_id }) => product_id ?? []);
  const buyable = await ctx.model(ProductProduct).buyable(products);
  const gone = order_line.filter(({ product_id }) => product_id !== null && !buyable.has(product_id));
  const problems: OrderProblem[] = gone.map(({ id: line, name }) => ({
    code: 'sale.not_sold',
    message: ctx.t('“{name}” is no longer sold.', { name: firstLine(name) }),
    line,
  }));
  // What a salesperson agreed on with a customer holds whatever the shop asks.
  if (is_cart) problems.push(...(await changedPrices(ctx, id, new Set(gone.map((line) => line.id)))));
  const needs = await ctx.model(SaleOrderLine).needs(order_line.map((line) => line.id));
  for (const short of await shortages(ctx, needs, { locked: false })) {
    problems.push({ code: 'sale.short', message: shortText(ctx, [short]), line: short.line });
  }
  return problems;
}

async function changedPrices(ctx: Ctx, id: Id, gone: ReadonlySet<Id>): Promise<OrderProblem[]> {
  const offers = await currentOffers(ctx, id);
  return offers
    .filter((line) => !gone.has(line.id) && !sameOffer(line))
    .map((line) => ({
      code: line.offer ? 'sale.price_changed' : 'sale.not_sold',
      message: line.offer
        ? ctx.t('The price of “{name}” has changed.', { name: firstLine(line.offer.name) })
        : ctx.t('Something in it is no longer sold.'),
      line: line.id,
    }));
}

/** @throws InvalidInput with everything that is wrong */
export function refuseProblems(problems: readonly OrderProblem[]): void {
  if (problems.length === 0) return;
  throw new InvalidInput('{reasons}', {
    code: problems[0]?.code ?? 'sale.problem',
    params: { reasons: problems.map(({ message }) => message).join(' ') },
  });
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? text;
}
