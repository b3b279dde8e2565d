import type { Searchable } from '#addons/website';
import type { Ctx } from '#core';
import { ShopTemplate } from '../../models/product-template.ts';
import { wholeShop } from './domain.ts';

/** The shop's products, as visitors find them in the search of the site. */
export const searchedProducts: Searchable = {
  id: 'website_sale.product',
  label: 'Products',
  icon: 'bag',
  async find(ctx, text, limit) {
    const rows = await ctx.model(ShopTemplate).find([['id', 'matches', text], ...listed(ctx)], {
      select: { name: true, website_url: true, description_sale: true },
      limit,
    });
    return rows.map(({ name, website_url, description_sale }) => ({
      title: name,
      url: website_url ?? '/shop',
      text: description_sale,
    }));
  },
  async names(ctx, limit) {
    const rows = await ctx.model(ShopTemplate).find(listed(ctx), { select: { name: true }, order: 'id desc', limit });
    return rows.map(({ name }) => name);
  },
};

function listed(ctx: Ctx) {
  return [...wholeShop(ctx), ['website_published', '=', true]] as const;
}
