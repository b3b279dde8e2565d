import { ProductAttributeValue, ProductProduct } from '@pergola/sale';
import { onWebsite } from '@pergola/website';
import type { Ctx, Domain, FieldsOf, Id, RawDomain } from 'pergola';
import { ShopTemplate } from '../../models/product-template.ts';
import { ShopFacet } from '../../models/website-sale-facet.ts';
import { MAX_SEARCHED, type ProductQuery } from './product-query.ts';

type ShopDomain = Domain<FieldsOf<InstanceType<typeof ShopTemplate>>>;

/** All products listed in this site's shop that the caller may see: published ones for visitors, unpublished ones too for editors. */
export function wholeShop(ctx: Ctx): ShopDomain {
  return [...ctx.model(ShopTemplate).shopDomain(), ...onWebsite(ctx)] as RawDomain as ShopDomain;
}

/** Maximum number of products of a value for which they are read first; above it, scanning the shop in its order fills the list sooner. */
const MAX_RAREST = 3000;

/** Products that have one of the chosen values of an attribute. */
interface Rarest {
  readonly attribute: Id;
  readonly products: readonly Id[];
}

/** Returns the chosen attribute with the fewest matching products, if they are few: finding them doesn't require scanning a large shop. */
export async function rarestOf(ctx: Ctx, { chosen: filters }: ProductQuery): Promise<Rarest | null> {
  if (filters.size === 0) return null;
  const system = ctx.sudo(); // The list applies the caller's access rights.
  const counts = await system
    .model(ShopFacet)
    .find(
      [
        ['website_id', '=', ctx.attributes.website?.id ?? 0],
        ['category_id', '=', null],
        '|',
        ['value_id', '=', null],
        ['value_id', 'in', [...filters.values()].flat()],
      ],
      { select: { count: true, value_id: true } },
    );
  // The shop hasn't been counted yet.
  if (!counts.some(({ value_id }) => value_id === null)) return null;
  const byValue = new Map(counts.map(({ value_id, count }) => [value_id, count]));
  const [rarest] = [...filters]
    .map(([attribute, values]) => ({
      ...{ attribute, values },
      count: values.reduce((sum, value) => sum + (byValue.get(value) ?? 0), 0),
    }))
    .filter(({ count }) => count <= MAX_RAREST)
    .sort((a, b) => a.count - b.count);
  if (!rarest) return null;
  const { attribute, values } = rarest;
  const rows = await system
    .model(ProductAttributeValue)
    .read(values, { select: { line_ids: { product_tmpl_id: true } } });
  const products = rows.flatMap(({ line_ids }) => line_ids.map((line) => line.product_tmpl_id));
  return { attribute, products: [...new Set(products)] };
}

/** Finds products by the beginning of a code: a reference or a barcode. */
export async function withCode(ctx: Ctx, { search }: ProductQuery): Promise<readonly Id[]> {
  if (search === '') return [];
  const variants = await ctx
    .model(ProductProduct)
    .find([['id', 'matches', search]], { select: { product_tmpl_id: true }, limit: MAX_SEARCHED });
  return [...new Set(variants.map(({ product_tmpl_id }) => product_tmpl_id))];
}

/** Products found without scanning the shop. */
export interface Known {
  readonly rarest: Rarest | null;
  readonly codes: readonly Id[];
}

/** Builds the domain of a query: all words of the search, one of the chosen values of each attribute, and the category or a subcategory. */
export function fitting(
  ctx: Ctx,
  query: ProductQuery,
  categories: readonly Id[] | null,
  { rarest, codes }: Known,
): ShopDomain {
  const domain: unknown[] = [...wholeShop(ctx)];
  if (categories) domain.push(['public_categ_ids', 'in', categories]);
  for (const [attribute, values] of query.chosen) {
    const isRarest = attribute === rarest?.attribute;
    domain.push(isRarest ? ['id', 'in', rarest.products] : ['attribute_line_ids.value_ids', 'in', values]);
  }
  if (codes.length > 0) domain.push('|', ['id', 'in', codes]);
  if (query.search !== '') domain.push(['id', 'matches', query.search]);
  return domain as RawDomain as ShopDomain;
}

/** Keeps products with one variant that has values of all chosen attributes: not every size comes in every colour. */
export async function inOneVariant(
  ctx: Ctx,
  { chosen: filters }: ProductQuery,
  products: readonly Id[],
): Promise<readonly Id[]> {
  if (filters.size < 2 || products.length === 0) return products;
  const domain: RawDomain = [
    ['product_tmpl_id', 'in', products],
    ...[...filters.values()].map((values) => ['attribute_value_ids', 'in', values] as const),
  ];
  const variants = await ctx
    .sudo() // These are products the caller can see.
    .model(ProductProduct)
    .find(domain as Domain<FieldsOf<InstanceType<typeof ProductProduct>>>, { select: { product_tmpl_id: true } });
  const matching = new Set(variants.map(({ product_tmpl_id }) => product_tmpl_id));
  return products.filter((id) => matching.has(id));
}
