import type { Ctx, Id } from 'pergola';
import { WebsitePage } from '../models/website-page.ts';
import { currentWebsite } from '../services/current-website.ts';
import { seoSelect } from '../services/seo.ts';

/** What a page is shown from. */
const pageSelect = {
  ...seoSelect,
  name: true,
  url: true,
  content: true,
  website_id: true,
  website_published: true,
  website_indexed: true,
  date_publish: true,
  addon: true,
} as const;

/** The page that answers at an address for this reader, in one query; null when there is none. The site's own comes before one of all sites. */
export async function pageAt(ctx: Ctx, url: string) {
  const site = await currentWebsite(ctx);
  const rows = await ctx.model(WebsitePage).find(
    [
      ['url', '=', url],
      ['website_id', 'in', [site?.id ?? 0, null]],
    ],
    { select: pageSelect },
  );
  return rows.find(({ website_id }) => website_id !== null) ?? rows[0] ?? null;
}

/** The page that `/` shows to this reader: the one the site names, else one whose address that is. */
export async function homePage(ctx: Ctx) {
  const site = await currentWebsite(ctx);
  const [named] = site?.homepageId ? await ctx.model(WebsitePage).read([site.homepageId], { select: pageSelect }) : [];
  return named ?? pageAt(ctx, '/');
}

/** A page as `pageAt` and `homePage` find it. */
export type ShownPage = NonNullable<Awaited<ReturnType<typeof pageAt>>>;

/** Whether a page is what `/` shows on the site of the request. */
export function isHome(ctx: Ctx, { id, url }: { readonly id: Id; readonly url: string }): boolean {
  const home = ctx.attributes.website?.homepageId ?? null;
  return home === null ? url === '/' : home === id;
}
