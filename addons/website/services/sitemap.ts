import type { Ctx, Identity } from '#core';
import { pathsIn, routes } from '#core/http';
import { onWebsite } from '../mixins/published.ts';
import { visibleNow, WebsitePage } from '../models/website-page.ts';
import { localizePath } from './address.ts';
import { type CurrentWebsite, originOf } from './current-website.ts';

/** An address for the sitemap. */
export interface SitemapEntry {
  /** Without language: `/forum/help-1`. */
  readonly path: string;
  readonly lastmod?: Date | string | null;
  /** From 0 to 1; left out where it is as important as the others. */
  readonly priority?: number;
}

declare module '#core' {
  interface PageExtras {
    /**
     * Puts the page into the sitemap: `true` for a route without parameters, a function for all the addresses of one with them. The function acts
     * as a visitor who is not signed in, in the site's default language.
     */
    sitemap?: true | ((ctx: Ctx) => Promise<readonly SitemapEntry[]>);
  }
}

/** Most addresses in one file. */
export const mostAddresses = 45_000;

/** How many files so many addresses take. */
export function sitemapFiles(addresses: number): number {
  return Math.max(1, Math.ceil(addresses / mostAddresses));
}

/** An address in every language of the site. */
export interface SitemapAddress {
  readonly loc: string;
  readonly lastmod: string | null;
  readonly priority: number | null;
  readonly alternates: readonly { readonly hreflang: string; readonly href: string }[];
}

const visitor: Identity = Object.freeze({
  id: null,
  partnerId: null,
  name: 'Visitor',
  login: null,
  groups: new Set(['base.group_public']),
  lang: null,
  timezone: null,
});

/** Everything a site shows to visitors who are not signed in and wants found: its pages, and what the routes of addons say. */
export async function sitemapOf(ctx: Ctx): Promise<SitemapAddress[]> {
  const site = ctx.attributes.website;
  if (site?.indexed === false) return [];
  const asVisitor = ctx.as({ user: visitor, ...(site ? { lang: site.defaultLang } : {}) });
  const found = new Map<string, SitemapEntry>();
  for (const entry of [...(await pageEntries(asVisitor)), ...(await routeEntries(asVisitor))]) {
    if (entry.path.startsWith('/') && !found.has(entry.path)) found.set(entry.path, entry);
  }
  const origin = originOf(ctx, site);
  const written = new Map<string, ReadonlyMap<string, string>>();
  for (const { code } of languagesOf(site)) written.set(code, await pathsIn(asVisitor, code, [...found.keys()]));
  return [...found.values()].flatMap((entry) => inLanguages(site, origin, entry, written));
}

async function pageEntries(ctx: Ctx): Promise<SitemapEntry[]> {
  const pages = await ctx
    .model(WebsitePage)
    .find([['website_indexed', '=', true], ...visibleNow(ctx), ...onWebsite(ctx)], {
      select: { website_url: true, write_date: true, is_homepage: true },
    });
  return pages.map(({ website_url, write_date, is_homepage }) => ({
    path: website_url ?? '',
    lastmod: write_date,
    ...(is_homepage ? { priority: 1 } : {}),
  }));
}

async function routeEntries(ctx: Ctx): Promise<SitemapEntry[]> {
  const entries: SitemapEntry[] = [];
  for (const { addon, route } of ctx.get(routes).all) {
    const { sitemap } = route.options;
    if (route.kind !== 'page' || route.auth !== 'public') continue;
    if (sitemap === true) entries.push({ path: route.path });
    if (typeof sitemap !== 'function') continue;
    try {
      entries.push(...((await sitemap(ctx)) as readonly SitemapEntry[]));
    } catch (error) {
      ctx.log.error({ err: error, addon, route: route.path }, 'The addresses of a route are missing from the sitemap');
    }
  }
  return entries;
}

/** The languages to tell apart; none where there is one. */
function languagesOf(site: CurrentWebsite | undefined): CurrentWebsite['languages'] {
  return site && site.languages.length > 1 ? site.languages : [];
}

function inLanguages(
  site: CurrentWebsite | undefined,
  origin: string,
  { path, lastmod, priority }: SitemapEntry,
  written: ReadonlyMap<string, ReadonlyMap<string, string>>,
): SitemapAddress[] {
  const shared = {
    lastmod: lastmod instanceof Date ? lastmod.toISOString() : (lastmod ?? null),
    priority: priority ?? null,
  };
  const languages = languagesOf(site);
  if (languages.length === 0) return [{ ...shared, loc: origin + path, alternates: [] }];
  const alternates = languages.map(({ code, hreflang }) => ({
    hreflang,
    href: origin + localizePath(site, written.get(code)?.get(path) ?? path, code),
  }));
  return alternates.map(({ href }) => ({ ...shared, loc: href, alternates }));
}
