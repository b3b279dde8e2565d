import { type Ctx, decimal, type Id } from '#core';
import { SaleOrder } from '../../models/sale-order.ts';
import { SaleOrderLine } from '../../models/sale-order-line.ts';
import { refuseUnlessEditable } from './frozen.ts';
import type { Offer, OfferRequest, Terms } from './offers.ts';

/** A line and what the shop asks for it now; null where it no longer sells it. */
export interface LineOffer {
  readonly id: Id;
  readonly product: Id;
  readonly price_unit: string;
  readonly tax_id: readonly Id[];
  readonly offer: Offer | null;
}

/** What the shop asks now for the lines of an order that have a product. */
export async function currentOffers(ctx: Ctx, id: Id): Promise<LineOffer[]> {
  const order = await ctx.model(SaleOrder).get(id, {
    select: {
      pricelist_id: true,
      currency_id: true,
      fiscal_position: true,
      lang: true,
      partner_id: true,
      order_line: { product_id: true, product_uom_qty: true, price_unit: true, tax_id: true },
    },
  });
  const lines = order.order_line.flatMap(({ product_id, ...line }) =>
    product_id === null ? [] : [{ ...line, product: product_id }],
  );
  const terms: Terms = {
    pricelist: order.pricelist_id,
    currency: order.currency_id,
    fiscalPosition: order.fiscal_position,
    lang: order.lang,
    partner: order.partner_id,
  };
  const requests: OfferRequest[] = lines.map((line) => ({
    line: line.id,
    product: line.product,
    quantity: line.product_uom_qty,
  }));
  const offers = await ctx.model(SaleOrderLine).offers(terms, requests);
  return lines.map(({ id: line, product, price_unit, tax_id }, place) => ({
    id: line,
    product,
    price_unit,
    tax_id,
    offer: offers[place] ?? null,
  }));
}

/** Writes what the shop asks now onto the lines of an open quotation; lines that are no longer sold stay as they are. */
export async function repriceOrder(given: Ctx, id: Id): Promise<void> {
  await given.model(SaleOrder).get(id, { select: { state: true } });
  const ctx = given.sudo(); // Whoever has the order gets the prices of the shop, which they need not be able to read.
  await ctx.lock(SaleOrder, [id]);
  const order = await ctx.model(SaleOrder).get(id, { select: { state: true } });
  await refuseUnlessEditable(ctx, order);
  for (const line of await currentOffers(ctx, id)) {
    if (!line.offer) continue;
    const { name, price_unit, price_list, tax_id, product_uom } = line.offer;
    await ctx
      .model(SaleOrderLine)
      .write(line.id, { name, price_unit, price_list, tax_id: [{ set: tax_id }], product_uom });
  }
}

/** Whether a line still costs what the shop asks now. */
export function sameOffer({ price_unit, tax_id, offer }: LineOffer): boolean {
  return (
    offer !== null &&
    decimal(offer.price_unit).eq(price_unit) &&
    offer.tax_id.length === tax_id.length &&
    offer.tax_id.every((tax) => tax_id.includes(tax))
  );
}
