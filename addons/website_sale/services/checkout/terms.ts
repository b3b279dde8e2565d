import type { Ctx } from '#core';
import { ShopWebsite } from '../../models/website.ts';

/** The address of the page with the terms of sale of the request's site; null where visitors see none. */
export async function termsPage(ctx: Ctx): Promise<string | null> {
  const site = ctx.attributes.website;
  if (!site) return null;
  const { shop_terms_page_id: page } = await ctx
    .sudo() // What visitors see of it is asked for by name.
    .model(ShopWebsite)
    .get(site.id, { select: { shop_terms_page_id: { url: true, is_visible: true } } });
  return page?.is_visible ? page.url : null;
}
