import type { Ctx, Id } from 'pergola';
import { WebsitePage } from '../models/website-page.ts';
import { currentWebsite } from '../services/current-website.ts';
import { seoSelect } from '../services/seo.ts';

/** Fields needed to render a page. */
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

/** Page at an address for the current user, in one query, or null. Pages of the site take precedence over shared ones. */
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

/** Page at `/` for the current user: the configured home page, otherwise the page with that address. */
export async function homePage(ctx: Ctx) {
  const site = await currentWebsite(ctx);
  const [homepage] = site?.homepageId
    ? await ctx.model(WebsitePage).read([site.homepageId], { select: pageSelect })
    : [];
  return homepage ?? pageAt(ctx, '/');
}

/** Page returned by `pageAt` and `homePage`. */
export type ShownPage = NonNullable<Awaited<ReturnType<typeof pageAt>>>;

/** Returns whether the page is the home page of the request's site. */
export function isHome(ctx: Ctx, { id, url }: { readonly id: Id; readonly url: string }): boolean {
  const home = ctx.attributes.website?.homepageId ?? null;
  return home === null ? url === '/' : home === id;
}
