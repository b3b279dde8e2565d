import { block, type Ctx, type Id, ownerOfPath, z } from '#core';
import { localizePath, plainPath } from './address.ts';
import { onWebsite } from './mixins/published.ts';
import { type MenuPlace, WebsiteMenu } from './models/website-menu.ts';
import { WebsitePage } from './models/website-page.ts';
import { WebsiteRedirect } from './models/website-redirect.ts';

/** An entry of the menu as pages show it. */
export interface NavigationItem {
  readonly id: Id;
  readonly name: string;
  readonly url: string;
  readonly newWindow: boolean;
  /** `page` where it leads to the page that is shown, `section` where it leads to one above it. */
  readonly current: 'page' | 'section' | null;
  /** Whether only editors see it, because its page is not published. */
  readonly hidden: boolean;
  readonly children: readonly NavigationItem[];
}

/** The site's menu with the entry of the page that is shown. */
export const menuBlock = block('website.menu', {
  label: 'Menu',
  options: z.object({}),
  template: 'website.menu',
  load: async (ctx, _options, { path }) => ({ items: await navigation(ctx, path) }),
});

/** The languages of the site, each with the way that leads to this page in it. */
export const languagesBlock = block('website.languages', {
  label: 'Languages',
  options: z.object({}),
  template: 'website.languages',
  load: async (ctx, _options, { url }) => {
    const site = ctx.facts.website;
    const languages = site && site.languages.length > 1 ? site.languages : [];
    const here = plainPath(site, url.replace(/[?#].*$/s, '')) + (/\?.*$/s.exec(url)?.[0] ?? '');
    return {
      current: languages.find(({ code }) => code === ctx.lang),
      languages: languages.map(({ code, tag, hreflang, name }) => ({
        tag,
        hreflang,
        name,
        isCurrent: code === ctx.lang,
        href: `/website/lang/${code === site?.defaultLang ? 'default' : code}?r=${encodeURIComponent(localizePath(site, here, ctx.lang))}`,
      })),
    };
  },
});

interface Entry {
  readonly id: Id;
  readonly name: string;
  readonly url: string;
  readonly new_window: boolean;
  readonly parent_id: Id | null;
}

/**
 * Two levels of the menu. Entries that lead nowhere (to a page visitors may not see, to an addon that is off) are left out; editors see those of
 * pages that are not published, marked.
 */
export async function navigation(ctx: Ctx, path: string, place: MenuPlace = 'main'): Promise<NavigationItem[]> {
  const rows = await ctx.model(WebsiteMenu).find([...onWebsite(ctx)], {
    select: { name: true, url: true, new_window: true, parent_id: true, page_id: true },
  });
  const roots = new Set(await ctx.model(WebsiteMenu).rootsOf(ctx.facts.website?.id ?? null, place));
  const places = await placesOf(ctx, rows);
  const entries = rows.flatMap(({ page_id, ...row }): (Entry & { hidden: boolean })[] => {
    if (row.parent_id === null) return [];
    const place = places(row.url ?? '', page_id);
    return place === null ? [] : [{ ...row, url: place.url, hidden: place.hidden }];
  });
  const active = activeUrl(
    entries.map(({ url }) => url),
    path,
  );
  const item = (entry: (typeof entries)[number], depth: number): NavigationItem => {
    const children =
      depth > 1 ? [] : entries.filter(({ parent_id }) => parent_id === entry.id).map((child) => item(child, depth + 1));
    const own = entry.url !== active ? null : entry.url === path ? 'page' : 'section';
    return {
      id: entry.id,
      name: entry.name,
      url: entry.url,
      newWindow: entry.new_window,
      hidden: entry.hidden,
      current: own ?? (children.some(({ current }) => current !== null) ? 'section' : null),
      children,
    };
  };
  return entries
    .filter(({ parent_id }) => parent_id !== null && roots.has(parent_id))
    .map((entry) => item(entry, 1))
    .filter(({ url, children }) => url !== '' || children.length > 0);
}

type Place = { readonly url: string; readonly hidden: boolean };

/** Says where an entry leads for this reader, or null where that is nowhere. */
async function placesOf(
  ctx: Ctx,
  rows: readonly { readonly url: string | null; readonly page_id: Id | null }[],
): Promise<(url: string, page: Id | null) => Place | null> {
  const paths = [...new Set(rows.flatMap(({ url }) => (url?.startsWith('/') ? [pathOf(url)] : [])))];
  const linked = rows.flatMap(({ page_id }) => page_id ?? []);
  const select = { url: true, website_url: true, is_visible: true } as const;
  const pages = await ctx.model(WebsitePage).find(['|', ['id', 'in', linked], ['url', 'in', paths]], { select });
  const byId = new Map(pages.map((page) => [page.id, page]));
  const byUrl = new Map(pages.map((page) => [page.url, page]));
  // Where old addresses lead is no secret, and nothing of it is shown.
  const redirects = new Set(
    (
      await ctx
        .sudo()
        .model(WebsiteRedirect)
        .find([['url_from', 'in', paths]], { select: { url_from: true } })
    ).map(({ url_from }) => url_from),
  );
  return (url, pageId) => {
    if (pageId !== null) {
      const page = byId.get(pageId);
      return page ? { url: page.website_url ?? page.url, hidden: !page.is_visible } : null;
    }
    if (!url.startsWith('/')) return { url, hidden: false };
    const path = pathOf(url);
    if (path === '/' || ownerOfPath(ctx, path, 'GET') !== null || redirects.has(path)) return { url, hidden: false };
    const page = byUrl.get(path);
    return page ? { url, hidden: !page.is_visible } : null;
  };
}

function pathOf(url: string): string {
  return url.replace(/[?#].*$/s, '');
}

/** The entry that the page belongs to: the longest address it begins with, whole segments. */
function activeUrl(urls: readonly string[], path: string): string | undefined {
  const fits = (url: string): boolean => url === path || (url.length > 1 && path.startsWith(`${url}/`));
  return urls.filter(fits).sort((a, b) => b.length - a.length)[0];
}
