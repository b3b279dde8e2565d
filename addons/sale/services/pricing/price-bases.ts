import { type Ctx, type Decimal, decimal, type Id, type Ids, kept, NotFound } from 'pergola';
import type { Supply } from '../../models/account-fiscal-position.ts';
import { ProductAttributePrice } from '../../models/product-attribute-price.ts';
import { ProductCategory } from '../../models/product-category.ts';
import { ProductPricelist } from '../../models/product-pricelist.ts';
import { PricelistItem } from '../../models/product-pricelist-item.ts';
import { ProductProduct } from '../../models/product-product.ts';
import { valueNames } from '../names.ts';
import { inOrder, type PricedProduct, type PriceRule, ruleColumns } from './price-rules.ts';

/* Inputs of price calculations, cached until they change, so that changing a cart line doesn't read products and price rules again. */

const evenArchived = ['active', 'in', [true, false]] as const;

/** Base values for the price of a variant. */
export interface Basis extends PricedProduct {
  /** Includes the surcharges of its values, in `currency`. */
  readonly list: Decimal;
  readonly cost: Decimal;
  readonly currency: Id;
}

/** Base values for prices of variants; leaves out deleted ones. */
export const priceBases = kept('sale.price_bases', readBases);

async function readBases(ctx: Ctx, products: Ids): Promise<ReadonlyMap<Id, Basis>> {
  const rows = await ctx.model(ProductProduct).find([['id', 'in', products], evenArchived], {
    select: {
      attribute_value_ids: true,
      product_tmpl_id: { list_price: true, standard_price: true, currency_id: true, categ_id: true },
    },
  });
  const extras = await ctx
    .model(ProductAttributePrice)
    .extras(rows.filter((row) => row.attribute_value_ids.length > 0).flatMap((row) => row.product_tmpl_id?.id ?? []));
  const ancestors = await categoriesOf(
    ctx,
    rows.flatMap((row) => row.product_tmpl_id?.categ_id ?? []),
  );
  return new Map(
    rows.flatMap(({ id, attribute_value_ids, product_tmpl_id: template }) => {
      if (!template) return [];
      const list = attribute_value_ids
        .reduce((sum, value) => sum.plus(extras.get(`${template.id}:${value}`) ?? '0'), decimal(template.list_price))
        .toString();
      const basis: Basis = {
        product: id,
        template: template.id,
        categories: ancestors.get(template.categ_id ?? 0) ?? [],
        list,
        cost: template.standard_price ?? '0',
        currency: template.currency_id,
      };
      return [[id, basis]];
    }),
  );
}

/** Returns each category with its parents. */
async function categoriesOf(ctx: Ctx, ids: Ids): Promise<Map<Id, Id[]>> {
  if (ids.length === 0) return new Map();
  const ancestors = await ctx.model(ProductCategory).above([...new Set(ids)]);
  return new Map([...ancestors].map(([id, ancestorIds]) => [id, [id, ...ancestorIds]]));
}

/** Currency of a pricelist, and the rules that may currently apply to some products, by priority. */
export interface ListRules {
  readonly currency: Id;
  readonly rules: readonly PriceRule[];
}

/**
 * Rules of a pricelist for these products. A fixed number of queries, regardless of the number of products.
 *
 * @throws NotFound if the pricelist doesn't exist
 */
export const listRules = kept(
  'sale.price_rules',
  async (ctx: Ctx, pricelist: Id, products: Ids): Promise<ListRules> => {
    const [list] = await ctx
      .model(ProductPricelist)
      .find([['id', '=', pricelist], evenArchived], { select: { currency_id: true } });
    if (!list) throw new NotFound('We can’t find this pricelist.', { code: 'sale.no_pricelist' });
    const bases = products.length > 0 ? [...(await readBases(ctx, products)).values()] : [];
    return { currency: list.currency_id, rules: bases.length > 0 ? await rulesFor(ctx, pricelist, bases) : [] };
  },
);

async function rulesFor(ctx: Ctx, pricelist: Id, products: readonly PricedProduct[]): Promise<PriceRule[]> {
  const now = ctx.now();
  const rules = await ctx
    .model(PricelistItem)
    .find(
      [
        ['pricelist_id', '=', pricelist],
        '|',
        ['date_start', '=', null],
        ['date_start', '<=', now],
        '|',
        ['date_end', '=', null],
        ['date_end', '>', now],
        '|',
        '|',
        '|',
        ['general', '=', true],
        ['product_id', 'in', [...new Set(products.map(({ product }) => product))]],
        ['product_tmpl_id', 'in', [...new Set(products.map(({ template }) => template))]],
        ['categ_id', 'in', [...new Set(products.flatMap(({ categories }) => categories))]],
      ],
      { select: ruleColumns },
    );
  return rules.sort(inOrder);
}

/** Taxes of a variant, and its place of taxation. */
export interface ProductTaxes {
  readonly taxes: Ids;
  readonly supply: Supply;
}

/** Taxes of variants, taken from their products. */
export const productTaxes = kept('sale.product_taxes', async (ctx: Ctx, products: Ids) => {
  const rows = await ctx
    .model(ProductProduct)
    .find([['id', 'in', products], evenArchived], { select: { product_tmpl_id: { taxes_id: true, type: true } } });
  return new Map(
    rows.map(({ id, product_tmpl_id: template }): [Id, ProductTaxes] => [
      id,
      { taxes: template?.taxes_id ?? [], supply: supplyOf(template?.type) },
    ]),
  );
});

/** Descriptions of variants on order lines, in a language. */
export const productTexts = kept('sale.product_texts', async (ctx: Ctx, lang: string, products: Ids) => {
  const rows = await (lang === ctx.lang ? ctx : ctx.as({ lang }))
    .model(ProductProduct)
    .find([['id', 'in', products], evenArchived], {
      select: {
        attribute_value_ids: valueNames,
        product_tmpl_id: { name: true, description_sale: true, taxes_id: true, type: true, uom_id: true },
      },
    });
  return new Map(rows.map((row) => [row.id, row]));
});

/** Returns the place of taxation for a product type. */
export function supplyOf(type: string | null | undefined): Supply {
  return type === 'service' ? 'service' : 'goods';
}
