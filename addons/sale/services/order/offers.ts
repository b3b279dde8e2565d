import type { Ctx, Decimal, Id } from '#core';
import { keyOf, readTexts, remembered, textMemory } from '../memories.ts';
import { priceProducts } from '../pricing/price-products.ts';
import { namesInOrder } from '../product/value-names.ts';
import { mappedPrice, taxMapping } from '../tax/fiscal-position.ts';
import { pick, taxRules } from '../tax/rules.ts';

/** What the prices of an order follow. */
export interface Terms {
  readonly pricelist: Id | null;
  readonly currency: Id;
  readonly fiscalPosition: Id | null;
  readonly lang: string | null;
  readonly partner: Id | null;
}

/** Something somebody wants on an order. */
export interface OfferRequest {
  readonly product: Id;
  readonly quantity: Decimal;
  /** Values of the line that layers added to it (`event_ticket_id`). */
  readonly extra?: Readonly<Record<string, unknown>>;
  /** The line, when there is one already. */
  readonly line?: Id;
  /** A price of its own, in the currency of the product, in place of the product's list price; the rules of the pricelist come after it. */
  readonly list?: Decimal;
}

/** What the shop asks for it, as values of a line. */
export interface Offer {
  readonly name: string;
  readonly price_unit: Decimal;
  readonly price_list: Decimal;
  readonly tax_id: readonly Id[];
  readonly product_uom: Id | null;
}

/**
 * Text, price and taxes for products, by the pricelist and fiscal position, in the order's language; null for products that are not there. A fixed
 * number of queries, whatever the number of requests.
 */
export async function offersFor(ctx: Ctx, terms: Terms, requests: readonly OfferRequest[]): Promise<(Offer | null)[]> {
  const lang = terms.lang ?? ctx.lang;
  const products = await remembered(
    ctx,
    textMemory,
    readTexts,
    `${lang}:${keyOf(requests.map(({ product }) => product))}`,
  );
  const prices = await priceProducts(ctx, terms.pricelist, requests);
  const map = await taxMapping(ctx, terms.fiscalPosition);
  const own = [...products.values()].flatMap(({ product_tmpl_id }) => product_tmpl_id?.taxes_id ?? []);
  const rules = terms.fiscalPosition === null ? new Map() : await taxRules(ctx, [...own, ...map(own)]);
  return requests.map(({ product }, place) => {
    const template = products.get(product)?.product_tmpl_id;
    const price = prices[place];
    if (!template || !price) return null;
    const taxes = map(template.taxes_id);
    const changed = (amount: Decimal): Decimal =>
      mappedPrice(amount, pick(rules, template.taxes_id), pick(rules, taxes));
    return {
      name: lineText(template, namesInOrder(products.get(product)?.attribute_value_ids ?? [])),
      price_unit: changed(price.price),
      price_list: changed(price.list),
      tax_id: taxes,
      product_uom: template.uom_id,
    };
  });
}

function lineText(
  { name, description_sale }: { readonly name: string; readonly description_sale: string | null },
  values: readonly string[],
): string {
  const title = values.length > 0 ? `${name} (${values.join(', ')})` : name;
  return (description_sale ? `${title}\n${description_sale}` : title).slice(0, 4000);
}
