import { app, type Ctx, type Id, liveValues, service } from 'pergola';
import { anonymousIdentity, routes } from 'pergola/http';
import { onWebsite } from '../mixins/published.ts';
import { type MenuPlace, WebsiteMenu } from '../models/website-menu.ts';
import { WebsitePage } from '../models/website-page.ts';
import { WebsiteRedirect } from '../models/website-redirect.ts';
import { isHome } from '../pages/page.ts';

/** Menu entry for display. */
export interface NavigationItem {
  readonly id: Id;
  readonly name: string;
  readonly url: string;
  readonly newWindow: boolean;
  /** `page` if it links to the current page, `section` if it links to an ancestor. */
  readonly current: 'page' | 'section' | null;
  /** Whether only editors see it because its page isn't published. */
  readonly hidden: boolean;
  /** HTML of its full-width panel, or null. */
  readonly panel: string | null;
  readonly children: readonly NavigationItem[];
}

/** Menus of the request's site for the current user, read once per page. */
export class Navigation extends service('website.navigation', { ctx: app.ctx }) {
  #menus: Promise<Menus> | null = null;

  /**
   * Two levels of a menu. Skips entries without a target (page not visible, addon disabled); editors also get entries of unpublished pages,
   * marked as such.
   */
  async items(path: string, place: MenuPlace = 'main'): Promise<NavigationItem[]> {
    this.#menus ??= this.#read();
    const { roots, entries: storedEntries } = await this.#menus;
    const entries = storedEntries.map((entry) =>
      entry.page !== null && isHome(this.ctx, { id: entry.page, url: entry.url }) ? { ...entry, url: '/' } : entry,
    );
    const top = entries.filter(({ parent }) => roots[place].has(parent));
    // Only top-level entries open panels: a child without an address has no target.
    const childrenOf = Map.groupBy(
      entries.filter(({ url }) => url !== ''),
      ({ parent }) => parent,
    );
    const visibleEntries = top.flatMap((entry) => [entry, ...(childrenOf.get(entry.id) ?? [])]);
    const active = activeUrl(
      visibleEntries.map(({ url }) => url),
      path,
    );
    const item = (
      { parent: _parent, page: _page, ...entry }: Entry,
      children: readonly NavigationItem[],
    ): NavigationItem => {
      const ownState = entry.url !== active ? null : entry.url === path ? 'page' : 'section';
      return {
        ...entry,
        current: ownState ?? (children.some(({ current }) => current !== null) ? 'section' : null),
        children,
      };
    };
    return top
      .map((entry) =>
        item(
          entry,
          (childrenOf.get(entry.id) ?? []).map((child) => item(child, [])),
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
  /** Linked page, if set. */
  readonly page: Id | null;
}
interface Menus {
  readonly roots: Readonly<Record<MenuPlace, ReadonlySet<Id>>>;
  /** In order, without entries that have no target. */
  readonly entries: readonly Entry[];
}

/** Menus by `site:language`, shared by all anonymous visitors. */
export const visitorMenus = liveValues('website.visitor_menus', {
  read: async (system, key) => {
    const [, lang = ''] = key.split(':');
    const visitor = await anonymousIdentity(system);
    return visitor ? readMenus(system.as({ user: visitor, lang })) : noMenus;
  },
});
const noMenus: Menus = { roots: { main: new Set(), footer: new Set() }, entries: [] };

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
  const rootsOf = (menuPlace: MenuPlace): Set<Id> =>
    new Set(rows.filter(({ parent_id, place }) => parent_id === null && place === menuPlace).map(({ id }) => id));
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

/** Returns a function that resolves an entry's target for the current user, or null without a target. */
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
  // Only editors get pages that visitors can't see.
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
  // Redirects are public, and no data of them is shown here.
  const rows = await ctx
    .sudo()
    .model(WebsiteRedirect)
    .find([['url_from', 'in', paths]], { select: { url_from: true } });
  return new Set(rows.map(({ url_from }) => url_from));
}

function pathOf(url: string): string {
  return url.replace(/[?#].*$/s, '');
}

/** Menu entry of a page: the longest path prefix, in whole segments. */
function activeUrl(urls: readonly string[], path: string): string | undefined {
  const fits = (url: string): boolean => url === path || (url.length > 1 && path.startsWith(`${url}/`));
  return urls.filter(fits).sort((a, b) => b.length - a.length)[0];
}
