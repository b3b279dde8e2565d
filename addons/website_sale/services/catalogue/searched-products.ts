import { Pricing } from '@pergola/sale';
import type { Searchable } from '@pergola/website';
import { app, type Ctx } from 'pergola';
import { hasWords } from 'pergola/kernel';
import { ShopTemplate } from '../../models/product-template.ts';
import { t } from '../../texts.ts';
import { sides, urlOf } from '../picture.ts';
import { pricingContext } from '../pricing-context.ts';
import { readCategories } from './categories.ts';
import { wholeShop } from './domain.ts';
import { currencyViews } from './price-view.ts';

/** Makes the shop's products searchable in the site search. */
export const searchedProducts: Searchable = {
  id: 'website_sale.product',
  label: 'Products',
  icon: 'bag',
  async find(ctx, text, limit) {
    const rows = await ctx.model(ShopTemplate).find([['id', 'matches', text], ...listed(ctx)], {
      select: { name: true, website_url: true, description_sale: true, image: true },
      limit,
    });
    return rows.map(({ id, name, website_url, description_sale, image: file }) => ({
      id,
      title: name,
      url: website_url ?? '/shop',
      text: description_sale,
      image: file && urlOf({ model: 'product.template', id, field: 'image', file }, sides.thumb),
    }));
  },
  async details(ctx, hits) {
    const ids = hits.flatMap(({ id }) => id ?? []);
    // Prices are public for readers of the product; pricelists aren't.
    const prices = await ctx
      .sudo()
      .get(Pricing)
      .ofTemplates(await pricingContext(ctx), ids);
    const currencies = await currencyViews(
      ctx,
      [...prices.values()].map(({ currency }) => currency),
    );
    return hits.map((hit) => {
      const shownPrice = prices.get(hit.id ?? 0);
      const currency = shownPrice && currencies.get(shownPrice.currency);
      if (!shownPrice || !currency) return hit;
      const price = ctx.get(app.formats).formatMoney(shownPrice.price, currency, ctx.lang);
      return { ...hit, note: shownPrice.from ? t(ctx, 'from {price}', { price }) : price };
    });
  },
  async names(ctx, limit) {
    const rows = await ctx.model(ShopTemplate).find(listed(ctx), { select: { name: true }, order: 'id desc', limit });
    return rows.map(({ name }) => name);
  },
};

/** Makes the shop's categories searchable by name. */
export const searchedCategories: Searchable = {
  id: 'website_sale.category',
  label: 'Categories',
  icon: 'tags',
  async find(ctx, text, limit) {
    const all = [...(await readCategories(ctx)).values()];
    return all.flatMap(({ name, url }) => (hasWords(name, text) ? { title: name, url } : [])).slice(0, limit);
  },
  async names(ctx, limit) {
    return [...(await readCategories(ctx)).values()].slice(0, limit).map(({ name }) => name);
  },
};

function listed(ctx: Ctx) {
  return [...wholeShop(ctx), ['website_published', '=', true]] as const;
}
