import { type Ctx, liveValues } from '#core';
import { ShopWebsite } from '../models/website.ts';

/** What the shop says of delivery and returns beside its products, and where more is said. */
export interface Promises {
  readonly delivery: string | null;
  readonly returns: string | null;
  /** Null where there is no such page, or it is not published. */
  readonly page: string | null;
}

/** `[site, language]`. The same for all visitors. */
export const shopPromises = liveValues('website_sale.promises', {
  read: async (system, key): Promise<Promises> => {
    const [site, lang] = JSON.parse(key) as [number, string];
    const [row] = await system
      .as({ lang })
      .model(ShopWebsite)
      .read([site], {
        select: {
          shop_delivery: true,
          shop_returns: true,
          shop_delivery_page_id: { url: true, website_published: true },
        },
      });
    const { shop_delivery: delivery = null, shop_returns: returns = null, shop_delivery_page_id: page } = row ?? {};
    return { delivery, returns, page: page?.website_published ? page.url : null };
  },
});

/** Those of the request's site; null where it says neither. */
export async function promisesOf(ctx: Ctx): Promise<Promises | null> {
  const site = ctx.attributes.website;
  if (!site) return null;
  const promises = await ctx.get(shopPromises).get(ctx, JSON.stringify([site.id, ctx.lang]));
  return promises.delivery || promises.returns ? promises : null;
}
