import { rootPage } from '@pergola/web';
import { extendRoute, type PageInput, type Reply, redirect, reply, route, z } from 'pergola';
import { appTitle, type FallbackDefinition } from 'pergola/pages';
import { isAppOn, WebsitePage } from '../models/website-page.ts';
import { WebsiteRedirect } from '../models/website-redirect.ts';
import { homePage, isHome, pageAt, type ShownPage } from '../pages/page.ts';
import { localizePath } from '../services/address.ts';
import { Navigation } from '../services/navigation.ts';
import { plainAddress } from '../services/page-address.ts';
import { encodedPath } from '../services/redirect-address.ts';
import { seoOf } from '../services/seo.ts';
import { t } from '../texts.ts';

type Input = Pick<PageInput<unknown, unknown>, 'ctx' | 'request' | 'render' | 'url'>;

const publisher = 'website.group_website_publisher';

/** `/`: the home page, otherwise the first menu entry. */
export const home = extendRoute(rootPage, async (input: Input) => {
  const { ctx, url, render } = input;
  const moved = await redirectOfQuery(input, '/');
  if (moved) return moved;
  const page = await homePage(ctx);
  if (page) return showPage(input, page);
  const first = (await ctx.get(Navigation).items('/')).find((item) => item.url.startsWith('/') && item.url !== '/');
  if (first) return redirect(url(first.url), 302);
  return ctx.has(publisher) ? offerPage(input, '/') : render('website.no_home', { noindex: true }, { status: 404 });
});

/** `/page/<name>` of old links: `/page/homepage` is the home page, `/page/website.about` and `/page/about` are `/about`. */
export const oldPage = route.page(
  '/page/*',
  { name: 'website.old_page', params: { '*': z.string().max(1000) } },
  async (input) => {
    const { ctx, params, url } = input;
    const name = params['*'].replace(/^website\./, '');
    if (name === 'homepage' || name === '') return redirect(url('/'), 301);
    const path = encodedPath(plainAddress(name));
    const isKnown = (await pageAt(ctx, path)) !== null || (await redirectFrom(input, path)) !== null;
    if (isKnown) return redirect(url(path), 301);
    return (await redirectFrom(input, `/page/${params['*']}`)) ?? notFoundPage(input, path);
  },
);

/** Pages at their own addresses, then redirects, then the offer to create a page (for editors). */
export const pageFallback: FallbackDefinition = {
  name: 'website.pages',
  handler: async (input) => {
    const { ctx, request, url } = input;
    const queryRedirect = await redirectOfQuery(input, request.path);
    if (queryRedirect) return queryRedirect;
    const page = await pageAt(ctx, request.path);
    if (page) return isHome(ctx, page) ? redirect(url('/'), 301) : showPage(input, page);
    const moved = await redirectFrom(input, request.path);
    if (moved) return moved;
    return ctx.has(publisher) && isPagePath(request.path) ? offerPage(input, request.path) : null;
  },
};

/** Renders a page for the current user. */
export async function showPage({ ctx, render, url }: Input, row: ShownPage, status = 200): Promise<Reply> {
  const isEditor = ctx.has(publisher);
  const visible = !isEditor || (await ctx.model(WebsitePage).visibility([row.id])).get(row.id) === true;
  // Editors get the stored content unchanged.
  const page = isEditor ? row : { ...row, content: prioritiseFirstPicture(withLocalLinks(row.content ?? '', url)) };
  // The home page has the site's name as its title.
  const atHome = isHome(ctx, row);
  const seo = seoOf(row, {
    title: atHome ? null : row.name,
    noindex: !row.website_indexed || !visible,
    canonical: atHome ? '/' : row.url,
  });
  // Explains why a published page isn't visible.
  const isHeld = !visible && row.website_published;
  const isAwaited = isHeld && row.date_publish !== null && row.date_publish > ctx.now();
  const isOff = isHeld && !isAppOn(ctx, row.addon);
  return render(
    'website.page',
    {
      page,
      seo,
      from: isAwaited ? row.date_publish : null,
      off: isOff && row.addon !== null ? (appTitle(ctx, row.addon) ?? row.addon) : null,
    },
    { status },
  );
}

/** Loads the first image of a page immediately; lazy images wait for the layout. */
function prioritiseFirstPicture(html: string): string {
  const start = html.indexOf('<img ');
  if (start < 0 || start > NEAR_TOP) return html;
  const end = html.indexOf('>', start);
  return (
    html.slice(0, start) + html.slice(start, end).replace(' loading="lazy"', ' fetchpriority="high"') + html.slice(end)
  );
}

/** Approximate number of HTML characters in the first screen on a phone. */
const NEAR_TOP = 3000;

/** Localises links to this site in sanitised HTML. */
function withLocalLinks(html: string, url: (path: string) => string): string {
  return html.replace(/(<a\b[^<>]*? href=")(\/(?![/\\])[^"]*)(?=")/g, (_all, prefix: string, path: string) => {
    return prefix + url(path.replaceAll('&amp;', '&')).replaceAll('&', '&amp;');
  });
}

/** Response for an old address, or null. */
async function redirectFrom({ ctx, request, url }: Input, path: string, queryOnly = false): Promise<Reply | null> {
  // Anyone can follow redirects, but only editors can list them.
  const target = await ctx
    .sudo()
    .model(WebsiteRedirect)
    .target(path + queryOf(request.url), { site: ctx.attributes.website, lang: ctx.lang, queryOnly });
  if (!target) return null;
  if (!target.to.startsWith('/')) return reply.elsewhere(target.to, target.forGood ? 301 : 302);
  return redirect(url(target.to), target.forGood ? 301 : 302);
}

/** Redirect whose address has a query, such as `/?p=12`; takes precedence over the page at its path. */
async function redirectOfQuery(input: Input, path: string): Promise<Reply | null> {
  return queryOf(input.request.url) === '' ? null : redirectFrom(input, path, true);
}

function queryOf(url: string): string {
  return /\?.*$/s.exec(url)?.[0] ?? '';
}

function notFoundPage(input: Input, path: string): Reply {
  return input.ctx.has(publisher) && isPagePath(path)
    ? offerPage(input, path)
    : input.render('website.not_found', { noindex: true }, { status: 404 });
}

/** Returns whether a page can have this path. */
function isPagePath(path: string): boolean {
  return path === '/' || plainAddress(path) === path;
}

function offerPage({ ctx, render, url }: Input, path: string): Reply {
  const last = path.split('/').at(-1) ?? '';
  const words = last.replace(/[-_]+/g, ' ').trim();
  const name = path === '/' ? t(ctx, 'Home') : words.charAt(0).toUpperCase() + words.slice(1);
  const values = {
    path,
    name,
    visited: localizePath(ctx.attributes.website, path, ctx.lang),
    home: url('/'),
    noindex: true,
  };
  return render('website.page_404', values, { status: 404 });
}

/** Creates a page at a missing address, or at one derived from its title, and opens it for editing. */
export const addPage = route.form(
  '/website/add',
  {
    name: 'website.add_page',
    auth: 'user',
    groups: [publisher],
    writes: true,
    body: z.object({
      name: z.string().trim().min(1, 'Enter a title for the page.').max(255),
      url: z.string().trim().max(255).optional(),
      add_menu: z.stringbool().optional().default(false),
    }),
    invalid: ({ render, values: { url: path, name }, errors, message }) =>
      render('website.page_404', {
        path,
        name,
        errors,
        message: errors.url ?? (errors.name === undefined ? message : null),
        noindex: true,
      }),
  },
  async ({ ctx, body, url }) => {
    const page = await ctx.model(WebsitePage).newPage({
      name: body.name,
      ...(body.url ? { url: body.url } : {}),
      menu: body.add_menu && ctx.has('website.group_website_designer'),
    });
    return redirect(`${url(page.url)}?enable_editor=1`);
  },
);
