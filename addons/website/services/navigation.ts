import { app, type Ctx, type Id, liveValues, service } from 'pergola';
import { anonymousIdentity, routes } from 'pergola/http';
import { onWebsite } from '../mixins/published.ts';
import { type MenuPlace, WebsiteMenu } from '../models/website-menu.ts';
import { WebsitePage } from '../models/website-page.ts';
import { WebsiteRedirect } from '../models/website-redirect.ts';
import { isHome } from '../pages/page.ts';

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
  /** The HTML it opens across the page; null where it opens nothing, or its entries. */
  readonly panel: string | null;
  readonly children: readonly NavigationItem[];
}

/** The menus of the site of a request, as its reader sees them; read once for a page, however often they stand on it. */
export class Navigation extends service('website.navigation', { ctx: app.ctx }) {
  #menus: Promise<Menus> | null = null;

  /**
   * Two levels of a menu. Entries that lead nowhere (to a page visitors may not see, to an addon that is off) are left out; editors see those of
   * pages that are not published, marked.
   */
  async items(path: string, place: MenuPlace = 'main'): Promise<NavigationItem[]> {
    this.#menus ??= this.#read();
    const { roots, entries: kept } = await this.#menus;
    const entries = kept.map((entry) =>
      entry.page !== null && isHome(this.ctx, { id: entry.page, url: entry.url }) ? { ...entry, url: '/' } : entry,
    );
    const top = entries.filter(({ parent }) => roots[place].has(parent));
    // Only those of the bar open something: below one of them an entry without an address leads nowhere.
    const below = Map.groupBy(
      entries.filter(({ url }) => url !== ''),
      ({ parent }) => parent,
    );
    const shown = top.flatMap((entry) => [entry, ...(below.get(entry.id) ?? [])]);
    const active = activeUrl(
      shown.map(({ url }) => url),
      path,
    );
    const item = (
      { parent: _parent, page: _page, ...entry }: Entry,
      children: readonly NavigationItem[],
    ): NavigationItem => {
      const own = entry.url !== active ? null : entry.url === path ? 'page' : 'section';
      return {
        ...entry,
        current: own ?? (children.some(({ current }) => current !== null) ? 'section' : null),
        children,
      };
    };
    return top
      .map((entry) =>
        item(
          entry,
          (below.get(entry.id) ?? []).map((child) => item(child, [])),
        ),
      )
      .filter(({ url, panel, children }) => url !== '' || panel !== null || children.length > 0);
  }

  async #read(): Promise<Menus> {
    const { ctx } = this;
    if (ctx.user.id !== null || ctx.su) return readMenus(ctx);
    return ctx.get(visitorMenus).get(ctx, `${ctx.attributes.website?.id ?? ''}:${ctx.lang}`);
  }
}

interface Entry {
  readonly id: Id;
  readonly name: string;
  readonly url: string;
  readonly newWindow: boolean;
  readonly parent: Id;
  readonly hidden: boolean;
  readonly panel: string | null;
  /** The page it leads to, where it says so. */
  readonly page: Id | null;
}
interface Menus {
  readonly roots: Readonly<Record<MenuPlace, ReadonlySet<Id>>>;
  /** In order; only what leads somewhere. */
  readonly entries: readonly Entry[];
}

/** `site:language`. What visitors who have not signed in see is the same for all of them. */
export const visitorMenus = liveValues('website.visitor_menus', {
  read: async (system, key) => {
    const [, lang = ''] = key.split(':');
    const visitor = await anonymousIdentity(system);
    return visitor ? readMenus(system.as({ user: visitor, lang })) : nothing;
  },
});
const nothing: Menus = { roots: { main: new Set(), footer: new Set() }, entries: [] };

async function readMenus(ctx: Ctx): Promise<Menus> {
  const rows = await ctx.model(WebsiteMenu).find([...onWebsite(ctx)], {
    select: {
      name: true,
      url: true,
      new_window: true,
      parent_id: true,
      page_id: true,
      panel_id: { content: true },
      place: true,
    },
  });
  const rootsOf = (wanted: MenuPlace): Set<Id> =>
    new Set(rows.filter(({ parent_id, place }) => parent_id === null && place === wanted).map(({ id }) => id));
  const places = await placesOf(ctx, rows);
  const entries = rows.flatMap((row): Entry[] => {
    const { id, name, url, new_window: newWindow, parent_id: parent, page_id, panel_id } = row;
    if (parent === null) return [];
    const place = places(url ?? '', page_id);
    return place === null
      ? []
      : [{ id, name, newWindow, parent, page: page_id, panel: panel_id?.content ?? null, ...place }];
  });
  return { roots: { main: rootsOf('main'), footer: rootsOf('footer') }, entries };
}

type Place = { readonly url: string; readonly hidden: boolean };
interface Leading {
  readonly url: string | null;
  readonly page_id: Id | null;
}

/** Says where an entry leads for this reader, or null where that is nowhere. */
async function placesOf(ctx: Ctx, rows: readonly Leading[]): Promise<(url: string, page: Id | null) => Place | null> {
  const isAnswered = (path: string): boolean => path === '/' || ctx.get(routes).ownerOf(path, 'GET') !== null;
  const open = rows.flatMap(({ url, page_id }) => (page_id === null && url?.startsWith('/') ? [pathOf(url)] : []));
  const paths = [...new Set(open)].filter((path) => !isAnswered(path));
  const linked = rows.flatMap(({ page_id }) => page_id ?? []);
  const pages = await ctx.model(WebsitePage).find(['|', ['id', 'in', linked], ['url', 'in', paths]], {
    select: { url: true },
  });
  const byId = new Map(pages.map((page) => [page.id, page]));
  const byUrl = new Map(pages.map((page) => [page.url, page]));
  const redirects = await redirectsFrom(
    ctx,
    paths.filter((path) => !byUrl.has(path)),
  );
  // Only editors are given what visitors may not see.
  const visible = ctx.has('website.group_website_publisher')
    ? await ctx.model(WebsitePage).visibility(pages.map(({ id }) => id))
    : null;
  return (url, pageId) => {
    const page = pageId === null ? byUrl.get(pathOf(url)) : byId.get(pageId);
    if (page && (pageId !== null || !isAnswered(page.url))) {
      return { url: pageId === null ? url : page.url, hidden: visible?.get(page.id) === false };
    }
    if (pageId !== null) return null;
    const leads = !url.startsWith('/') || isAnswered(pathOf(url)) || redirects.has(pathOf(url));
    return leads ? { url, hidden: false } : null;
  };
}

async function redirectsFrom(ctx: Ctx, paths: readonly string[]): Promise<ReadonlySet<string>> {
  if (paths.length === 0) return new Set();
  // Where old addresses lead is no secret, and nothing of it is shown.
  const rows = await ctx
    .sudo()
    .model(WebsiteRedirect)
    .find([['url_from', 'in', paths]], { select: { url_from: true } });
  return new Set(rows.map(({ url_from }) => url_from));
}

function pathOf(url: string): string {
  return url.replace(/[?#].*$/s, '');
}

/** The entry that the page belongs to: the longest address it begins with, whole segments. */
function activeUrl(urls: readonly string[], path: string): string | undefined {
  const fits = (url: string): boolean => url === path || (url.length > 1 && path.startsWith(`${url}/`));
  return urls.filter(fits).sort((a, b) => b.length - a.length)[0];
}
