import { MOST_PIECES, Pricing, ProductProduct, SaleOrder, SaleOrderLine, wholeQuantity } from '@pergola/sale';
import type { Ctx, Id, Ids } from 'pergola';
import { currencyViews } from '../catalogue/price-view.ts';
import { majorUnits } from '../catalogue/product-data.ts';
import { pricingContext } from '../pricing-context.ts';
import { linesOf } from './lines.ts';
import { cartOf } from './session-cart.ts';
import { totalsOf } from './totals.ts';

/** Request for unit prices. */
export interface UnitPriceQuery {
  readonly products: Ids;
  readonly quantity: unknown;
  /** Whether to use the cart's prices instead of the page's. */
  readonly asCart: boolean;
  /** Line of the caller's cart whose own price replaces its product's, as for tickets. */
  readonly line: Id | null;
}

/** Returns unit prices as shown on pages, in major units by variant. A fixed number of queries. */
export async function unitPrices(ctx: Ctx, query: UnitPriceQuery): Promise<Record<Id, number>> {
  const order = query.asCart || query.line !== null ? await cartOf(ctx) : null;
  const products = await visibleProducts(ctx, query.products);
  const quantity = Math.min(MOST_PIECES, Math.max(1, wholeQuantity(query.quantity ?? 1)));
  // Prices are public for readers of the product.
  const prices = await ctx
    .sudo()
    .get(Pricing)
    .shown(
      query.asCart && order !== null ? await cartTerms(ctx, order) : await pricingContext(ctx),
      products.map((product) => ({ product, quantity })),
    );
  const currencies = await currencyViews(
    ctx,
    prices.flatMap((price) => price?.currency ?? []),
  );
  const entries = products.flatMap((product, index): [Id, number][] => {
    const price = prices[index];
    const currency = price && currencies.get(price.currency);
    return price && currency ? [[product, majorUnits(price.price, currency)]] : [];
  });
  return Object.fromEntries([...entries, ...(await linePrice(ctx, order, query))]);
}

/** Returns the products the caller may see. Unknown and hidden products are left out in the same way. */
async function visibleProducts(ctx: Ctx, products: Ids): Promise<Id[]> {
  const rows = await ctx.model(ProductProduct).read([...new Set(products)], { select: { sale_ok: true } });
  return rows.filter(({ sale_ok }) => sale_ok).map(({ id }) => id);
}

async function cartTerms(ctx: Ctx, order: Id) {
  return ctx
    .sudo() // The cart is the caller's own.
    .model(SaleOrder)
    .termsOf(order);
}

/** Returns the price of a line in the caller's cart whose price differs from its product's. */
async function linePrice(ctx: Ctx, order: Id | null, { line, products }: UnitPriceQuery): Promise<[Id, number][]> {
  if (line === null || order === null) return [];
  const system = ctx.sudo(); // The cart is the caller's own.
  const row = await system.model(SaleOrderLine).first(
    [
      ['id', '=', line],
      ['order_id', '=', order],
    ],
    { select: { product_id: true, product_uom_qty: true } },
  );
  if (!row?.product_id || !products.includes(row.product_id)) return [];
  const { currency } = await totalsOf(system, order);
  const cartLine = (await linesOf(ctx, order, currency)).find(({ id }) => id === line);
  return cartLine ? [[row.product_id, Number(cartLine.unit)]] : [];
}
