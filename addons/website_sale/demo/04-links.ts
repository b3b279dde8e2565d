import { PricelistItem, ProductProduct } from '@pergola/sale';
import { type Ctx, data, type FieldsOf, type Id, ref, type Values } from 'pergola';
import { ShopPricelist } from '../models/product-pricelist.ts';
import { ShopTemplate } from '../models/product-template.ts';
import { articles, productKey } from './catalogue/articles.ts';

type Template = Values<FieldsOf<InstanceType<typeof ShopTemplate>>>;

/** Links between products and stock settings, set once all products exist. */
const links = data(ShopTemplate, async (ctx: Ctx) => {
  const all: Record<string, Template> = {};
  for (const [key, { alternatives = [], accessories = [], stock }] of Object.entries(articles)) {
    all[productKey(key)] = {
      alternative_product_ids: alternatives.map((name) => ref(productKey(name))),
      accessory_product_ids: await firstVariants(ctx, accessories),
      inventory: stock === undefined ? 'none' : 'kept',
    };
  }
  return all;
});

async function firstVariants(ctx: Ctx, keys: readonly string[]): Promise<Id[]> {
  const ids: Id[] = [];
  for (const key of keys) {
    const template = await ctx.ref(`website_sale.${productKey(key)}`);
    const [id] = await ctx
      .model(ProductProduct)
      .search([['product_tmpl_id', '=', template]], { limit: 1, order: 'id' });
    if (id !== undefined) ids.push(id);
  }
  return ids;
}

/** Pricelists: a member list opened by a code, and one in another currency. */
const pricelists = data(ShopPricelist, {
  pricelist_members: {
    name: { en_US: 'Members of La Tonnelle', fr_FR: 'Membres de La Tonnelle' },
    currency_id: ref('base.eur'),
    sequence: 20,
    code: 'TONNELLE',
  },
  pricelist_dollars: {
    name: { en_US: 'Prices in dollars', fr_FR: 'Prix en dollars' },
    currency_id: ref('base.usd'),
    sequence: 30,
    selectable: true,
  },
});

const rules = data(PricelistItem, {
  rule_members: {
    pricelist_id: ref('pricelist_members'),
    compute_price: 'percentage',
    percent_price: '10',
  },
  rule_tulips: {
    pricelist_id: ref('sale.public_pricelist'),
    product_tmpl_id: ref(productKey('tulip_bulbs')),
    compute_price: 'percentage',
    percent_price: '20',
  },
  rule_lantern: {
    pricelist_id: ref('sale.public_pricelist'),
    product_tmpl_id: ref(productKey('lantern')),
    compute_price: 'fixed',
    fixed_price: '32.00',
  },
  rule_seeds: {
    pricelist_id: ref('sale.public_pricelist'),
    product_tmpl_id: ref(productKey('sunflower_seeds')),
    min_quantity: '5',
    compute_price: 'fixed',
    fixed_price: '2.40',
  },
});

export default [links, pricelists, rules];
