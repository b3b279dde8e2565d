import { type Ctx, type Decimal, decimal, type Id, type Ids } from 'pergola';
import { SaleOrderLine } from '../../models/sale-order-line.ts';
import { termColumns } from './columns.ts';
import { type Offer, sameTaxes } from './offer.ts';
import { OrderDefaults } from './order-defaults.ts';

/** A line with the shop's current offer. */
export interface LineOffer {
  readonly id: Id;
  readonly name: string;
  readonly price_unit: string;
  readonly tax_id: Ids;
  readonly offer: Offer | null;
}

/** Returns the shop's current offers for lines with a product; null for products it no longer sells. */
export async function currentOffers(ctx: Ctx, id: Id): Promise<LineOffer[]> {
  const order = await ctx.model('sale.order').get(id, {
    select: {
      ...termColumns,
      order_line: { name: true, product_id: true, product_uom_qty: true, price_unit: true, tax_id: true },
    },
  });
  const lines = order.order_line.flatMap(({ product_id, ...line }) =>
    product_id === null ? [] : [{ ...line, product: product_id }],
  );
  const offers = await ctx.model(SaleOrderLine).offers(
    await ctx.get(OrderDefaults).termsOf(order),
    lines.map((line) => ({ line: line.id, product: line.product, quantity: line.product_uom_qty })),
  );
  return lines.map((line, index) => ({ ...line, offer: offers[index] ?? null }));
}

/** Whether a line matches the shop's current price and taxes. */
export function isSameOffer({ price_unit, tax_id, offer }: Omit<LineOffer, 'id' | 'name'>): boolean {
  return offer !== null && sameNumber(offer.price_unit, price_unit) && sameTaxes(offer.tax_id, tax_id);
}

export function sameNumber(a: Decimal, b: Decimal): boolean {
  return decimal(a).eq(b);
}
