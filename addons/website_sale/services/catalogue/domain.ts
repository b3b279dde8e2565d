import { ProductAttributeValue, ProductProduct } from '#addons/sale';
import { onWebsite } from '#addons/website';
import type { Ctx, Domain, FieldsOf, Id, RawDomain } from '#core';
import { ShopTemplate } from '../../models/product-template.ts';
import { ShopFacet } from '../../models/website-sale-facet.ts';
import { MOST_SEARCHED, type ProductQuery } from './product-query.ts';

type ShopDomain = Domain<FieldsOf<InstanceType<typeof ShopTemplate>>>;

/** Everything the shop of this site lists, for whoever looks: visitors see what is published, editors also what is not. */
export function wholeShop(ctx: Ctx): ShopDomain {
  return [...ctx.model(ShopTemplate).shopDomain(), ...onWebsite(ctx)] as RawDomain as ShopDomain;
}

/** More products than this have a value: then the shop is gone through in its order until the list is full. */
const FEW = 3000;

/**
 * Products that come in one of the chosen values of an attribute, by attribute, where they are few: a large shop need not be gone through to find them.
 */
export async function withFewValues(ctx: Ctx, { chosen }: ProductQuery): Promise<ReadonlyMap<Id, readonly Id[]>> {
  const found = new Map<Id, readonly Id[]>();
  const system = ctx.sudo(); // What the caller may see of them is decided by the list.
  for (const [attribute, values] of chosen) {
    const counts = await system
      .model(ShopFacet)
      .find(
        [
          ['website_id', '=', ctx.attributes.website?.id ?? 0],
          ['category_id', '=', null],
          '|',
          ['value_id', '=', null],
          ['value_id', 'in', values],
        ],
        { select: { count: true, value_id: true } },
      );
    const number = counts.reduce((sum, { value_id, count }) => (value_id === null ? sum : sum + count), 0);
    // Nothing is known of a shop that was never counted.
    if (number > FEW || !counts.some(({ value_id }) => value_id === null)) continue;
    const rows = await system
      .model(ProductAttributeValue)
      .read(values, { select: { line_ids: { product_tmpl_id: true } } });
    found.set(attribute, [...new Set(rows.flatMap(({ line_ids }) => line_ids.map((line) => line.product_tmpl_id)))]);
  }
  return found;
}

/** Products found by a code that begins like what is searched: a reference, a bar code. */
export async function withCode(ctx: Ctx, { search }: ProductQuery): Promise<readonly Id[]> {
  if (search === '') return [];
  const variants = await ctx
    .model(ProductProduct)
    .find([['id', 'matches', search]], { select: { product_tmpl_id: true }, limit: MOST_SEARCHED });
  return [...new Set(variants.map(({ product_tmpl_id }) => product_tmpl_id))];
}

/** Products that are found otherwise than by looking at each. */
export interface Known {
  readonly few: ReadonlyMap<Id, readonly Id[]>;
  readonly codes: readonly Id[];
}

/**
 * What fits a query: all words of the search, one of the chosen values of each attribute, the category or one below.
 */
export function fitting(
  ctx: Ctx,
  query: ProductQuery,
  categories: readonly Id[] | null,
  { few, codes }: Known,
): ShopDomain {
  const domain: unknown[] = [...wholeShop(ctx)];
  if (categories) domain.push(['public_categ_ids', 'in', categories]);
  for (const [attribute, values] of query.chosen) {
    const ids = few.get(attribute);
    domain.push(ids ? ['id', 'in', ids] : ['attribute_line_ids.value_ids', 'in', values]);
  }
  if (codes.length > 0) domain.push('|', ['id', 'in', codes]);
  if (query.search !== '') domain.push(['id', 'matches', query.search]);
  return domain as RawDomain as ShopDomain;
}
