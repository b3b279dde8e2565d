import { type Ctx, type Id, type Ids, memory } from '#core';
import { ProductTemplate } from '../../models/product-template.ts';
import { idsOf, keyOf, remembered } from '../memories.ts';
import { type ShownFor, type ShownPrice, shownPrices } from './shown-prices.ts';

/** The price a list of products shows for one. */
export interface TemplatePrice extends ShownPrice {
  /** The cheapest variant, whose price it is. */
  readonly product: Id;
  /** Whether other variants cost more. */
  readonly from: boolean;
}

/** What products cost at least, for lists of them; those without a variant are left out. A fixed number of queries. */
export async function templatePrices(
  ctx: Ctx,
  { pricelist, fiscalPosition }: ShownFor,
  templates: Ids,
): Promise<ReadonlyMap<Id, TemplatePrice>> {
  const key = `${pricelist ?? ''}:${fiscalPosition ?? ''}:${keyOf(templates)}`;
  return remembered(ctx, templatePriceMemory, readTemplatePrices, key);
}

const idOrNull = (text: string | undefined): Id | null => (text ? Number(text) : null);

/** `pricelist:fiscal position:products`. */
async function readTemplatePrices(ctx: Ctx, key: string): Promise<Map<Id, TemplatePrice>> {
  const [pricelist, fiscalPosition, ids = ''] = key.split(':');
  const about = { pricelist: idOrNull(pricelist), fiscalPosition: idOrNull(fiscalPosition) };
  const templates = idsOf(ids);
  const rows = await ctx.model(ProductTemplate).read(templates, { select: { product_variant_ids: true } });
  const variants = rows.flatMap(({ product_variant_ids }) => product_variant_ids);
  const prices = await shownPrices(
    ctx,
    about,
    variants.map((product) => ({ product })),
  );
  const byVariant = new Map(variants.map((variant, place) => [variant, prices[place]]));
  const found = new Map<Id, TemplatePrice>();
  for (const { id, product_variant_ids } of rows) {
    const offers = product_variant_ids.flatMap((product) => {
      const price = byVariant.get(product);
      return price ? [{ ...price, product }] : [];
    });
    const [cheapest] = offers.toSorted((a, b) => a.price - b.price);
    if (cheapest) found.set(id, { ...cheapest, from: offers.some(({ price }) => price > cheapest.price) });
  }
  return found;
}

export const templatePriceMemory = memory('sale.template_prices', { read: readTemplatePrices, most: 500 });
