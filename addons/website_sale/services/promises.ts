import { type Ctx, liveValues } from 'pergola';
import { ShopWebsite } from '../models/website.ts';

/** The shop's delivery and returns lines, shown next to products, with links to more details. */
export interface Promises {
  readonly delivery: string | null;
  readonly returns: string | null;
  /** URL of the page about both; null if visitors can't see one. */
  readonly page: string | null;
  /** URL of the terms of sale; null if visitors can't see them. */
  readonly terms: string | null;
}

const pageColumns = { url: true, is_visible: true } as const;

/** Cache key: `[site, language]`. The same for all visitors. */
export const shopPromises = liveValues('website_sale.promises', {
  read: async (system, key): Promise<Promises> => {
    const [site, lang] = JSON.parse(key) as [number, string];
    const row = await system
      .as({ lang })
      .model(ShopWebsite)
      .get(site, {
        select: {
          shop_delivery: true,
          shop_returns: true,
          shop_delivery_page_id: pageColumns,
          shop_terms_page_id: pageColumns,
        },
      });
    return {
      delivery: row.shop_delivery,
      returns: row.shop_returns,
      page: addressOf(row.shop_delivery_page_id),
      terms: addressOf(row.shop_terms_page_id),
    };
  },
});

/** Returns the promises of the request's site, or null without a site. */
export async function promisesOf(ctx: Ctx): Promise<Promises | null> {
  const site = ctx.attributes.website;
  return site ? ctx.get(shopPromises).get(ctx, JSON.stringify([site.id, ctx.lang])) : null;
}

/** Returns the URL of a page, or null before its publication time. */
function addressOf(page: { readonly url: string; readonly is_visible: boolean | null } | null): string | null {
  return page?.is_visible ? page.url : null;
}
