import type { Ctx, Id, Identity, ModelRef } from 'pergola';
import type { PageExtras } from 'pergola/http';
import { pathsIn, routes } from 'pergola/http';
import { onWebsite } from '../mixins/published.ts';
import { visibleNow, WebsitePage } from '../models/website-page.ts';
import { localizePath } from './address.ts';
import { type CurrentWebsite, originOf } from './current-website.ts';

/** URL in the sitemap. */
export interface SitemapEntry {
  /** Path without language: `/forum/help-1`. */
  readonly path: string;
  readonly lastmod?: Date | string | null;
  /** From 0 to 1; omit for normal priority. */
  readonly priority?: number;
}

/** Domain for rows of a model with ids above the first value and up to the second. */
export type IdRange = readonly [readonly ['id', '>', Id], readonly ['id', '<=', Id]];

/** Sitemap source for a route with records in its path. */
export interface SitemapSource {
  readonly model: ModelRef;
  /**
   * URLs of the rows in a range, read as an anonymous visitor in the site's default language. Each sitemap file reads one range, so its
   * cost is bounded regardless of the number of rows.
   */
  entries(ctx: Ctx, ids: IdRange): Promise<readonly SitemapEntry[]>;
}

declare module 'pergola/http' {
  interface PageExtras {
    /**
     * Adds the page to the sitemap: `true` for a route without parameters, or a function that decides; the rows of a model for a route with
     * parameters.
     */
    sitemap?: true | ((ctx: Ctx) => Promise<boolean>) | SitemapSource;
  }
}

/** Maximum rows per file. */
const MAX_ROWS = 5_000;
/** Maximum links per file: each URL lists all its languages, in each of them. */
const MAX_LINKS = 10_000;

/** Rows per file for a number of languages. */
export function rowsPerFile(languages: number): number {
  return Math.max(100, Math.min(MAX_ROWS, Math.floor(MAX_LINKS / languages ** 2)));
}

/** URL with its alternatives in all languages of the site. */
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

/**
 * Sitemap file with the pages visible to anonymous visitors.
 *
 * The ids of all sources form one sequence, of which each file covers a fixed number. Finding the ranges of a file takes the largest id of
 * each source, so neither the index nor a file reads a whole table.
 *
 * @param file from 1
 * @returns null if the file doesn't exist
 */
export async function sitemapFile(ctx: Ctx, file: number): Promise<SitemapAddress[] | null> {
  const site = ctx.attributes.website;
  if (site?.indexed === false) return file === 1 ? [] : null;
  const asVisitor = visitorContext(ctx);
  const size = rowsPerFile(languagesOf(site).length || 1);
  const start = (file - 1) * size;
  const entries = new Map<string, SitemapEntry>();
  if (file === 1) for (const path of await staticPaths(asVisitor)) entries.set(path, { path });
  let offset = 0;
  for (const source of sourcesOf(ctx)) {
    const lastId = await lastIdOf(ctx, source);
    const from = Math.max(0, start - offset);
    const to = Math.min(lastId, start + size - offset);
    offset += lastId;
    if (from >= to) continue;
    for (const entry of await entriesOf(asVisitor, source, from, to)) {
      if (entry.path.startsWith('/') && !entries.has(entry.path)) entries.set(entry.path, entry);
    }
  }
  if (file > 1 && start >= offset) return null;
  const origin = originOf(ctx, site);
  const localPaths = new Map<string, ReadonlyMap<string, string>>();
  for (const { code } of languagesOf(site)) localPaths.set(code, await pathsIn(asVisitor, code, [...entries.keys()]));
  return [...entries.values()].flatMap((entry) => inLanguages(site, origin, entry, localPaths));
}

/** Number of sitemap files, from one to the maximum of an index. */
export async function sitemapFiles(ctx: Ctx): Promise<number> {
  const site = ctx.attributes.website;
  if (site?.indexed === false) return 1;
  let ids = 0;
  for (const source of sourcesOf(ctx)) ids += await lastIdOf(ctx, source);
  return Math.min(MAX_FILES, Math.max(1, Math.ceil(ids / rowsPerFile(languagesOf(site).length || 1))));
}

/** Rows per source that {@link listedAddresses} counts. */
const MAX_COUNTED = 50_000;

/** Number of addresses in the sitemaps, without their languages, that routes of these addons serve. */
export async function listedAddresses(ctx: Ctx, addons: ReadonlySet<string>): Promise<number> {
  const asVisitor = visitorContext(ctx);
  let count = (await staticPaths(asVisitor, addons)).length;
  for (const source of sourcesOf(ctx).filter(({ addon }) => addons.has(addon))) {
    const lastId = Math.min(await lastIdOf(ctx, source), MAX_COUNTED);
    for (let from = 0; from < lastId; from += MAX_ROWS)
      count += (await entriesOf(asVisitor, source, from, Math.min(lastId, from + MAX_ROWS))).length;
  }
  return count;
}

/** Maximum files in an index, according to the sitemap protocol. */
const MAX_FILES = 50_000;

function visitorContext(ctx: Ctx): Ctx {
  const site = ctx.attributes.website;
  return ctx.as({ user: visitor, ...(site ? { lang: site.defaultLang } : {}) });
}

interface Source extends SitemapSource {
  /** Route name, for the log. */
  readonly name: string;
  readonly addon: string;
}

const pages: Source = {
  name: 'website.pages',
  addon: 'website',
  model: WebsitePage,
  async entries(ctx, ids) {
    const rows = await ctx
      .model(WebsitePage)
      .find([...ids, ['website_indexed', '=', true], ...visibleNow(ctx), ...onWebsite(ctx)], {
        select: { website_url: true, write_date: true, is_homepage: true },
      });
    return rows.map(({ website_url, write_date, is_homepage }) => ({
      path: website_url ?? '',
      lastmod: write_date,
      ...(is_homepage ? { priority: 1 } : {}),
    }));
  },
};

function sourcesOf(ctx: Ctx): readonly Source[] {
  const ofRoutes = publicPages(ctx).flatMap(({ name, addon, sitemap }) =>
    typeof sitemap === 'object' ? [{ name, addon, model: sitemap.model, entries: sitemap.entries }] : [],
  );
  return [pages, ...ofRoutes];
}

function publicPages(ctx: Ctx) {
  return ctx
    .get(routes)
    .all.flatMap(({ addon, route: { kind, auth, name, path, options } }) =>
      kind === 'page' && auth === 'public'
        ? [{ name, addon, path, sitemap: options.sitemap as PageExtras['sitemap'] }]
        : [],
    );
}

/** Listed paths without parameters, of all addons or of these. */
async function staticPaths(ctx: Ctx, addons?: ReadonlySet<string>): Promise<string[]> {
  const paths: string[] = [];
  for (const { name, addon, path, sitemap } of publicPages(ctx)) {
    if (addons?.has(addon) === false) continue;
    const isListed = typeof sitemap === 'function' ? await orLog(ctx, name, sitemap(ctx), false) : sitemap === true;
    if (isListed) paths.push(path);
  }
  return paths;
}

/** Largest id of a source's model; 0 if the table is empty. */
async function lastIdOf(ctx: Ctx, { model }: Source): Promise<number> {
  // Checking access would require reading every row above the last visible one.
  const [last] = await ctx.sudo().modelNamed(model.modelName).search([], { order: 'id desc', limit: 1 });
  return last ?? 0;
}

function entriesOf(ctx: Ctx, source: Source, from: number, to: number): Promise<readonly SitemapEntry[]> {
  const ids: IdRange = [
    ['id', '>', from],
    ['id', '<=', to],
  ];
  return orLog(ctx, source.name, source.entries(ctx, ids), []);
}

/** Keeps the other routes in the sitemap if one fails. */
async function orLog<T>(ctx: Ctx, route: string, work: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await work;
  } catch (error) {
    ctx.log.error({ err: error, route }, 'The addresses of a route are missing from the sitemap');
    return otherwise;
  }
}

/** Languages for alternate links; empty for a single language. */
function languagesOf(site: CurrentWebsite | undefined): CurrentWebsite['languages'] {
  return site && site.languages.length > 1 ? site.languages : [];
}

function inLanguages(
  site: CurrentWebsite | undefined,
  origin: string,
  { path, lastmod, priority }: SitemapEntry,
  localPaths: ReadonlyMap<string, ReadonlyMap<string, string>>,
): SitemapAddress[] {
  const shared = {
    lastmod: lastmod instanceof Date ? lastmod.toISOString() : (lastmod ?? null),
    priority: priority ?? null,
  };
  const languages = languagesOf(site);
  if (languages.length === 0) return [{ ...shared, loc: origin + path, alternates: [] }];
  const alternates = languages.map(({ code, hreflang }) => ({
    hreflang,
    href: origin + localizePath(site, localPaths.get(code)?.get(path) ?? path, code),
  }));
  return alternates.map(({ href }) => ({ ...shared, loc: href, alternates }));
}
