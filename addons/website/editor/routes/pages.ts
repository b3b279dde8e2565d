import { Conflict, type Ctx, NotFound, route, z } from 'pergola';
import { routes } from 'pergola/http';
import { Website } from '../../models/website.ts';
import { WebsiteMenu } from '../../models/website-menu.ts';
import { WebsitePage } from '../../models/website-page.ts';
import { currentWebsite, readWebsites } from '../../services/current-website.ts';
import { SavedBlock } from '../../snippets/saved/saved-block.ts';
import { keepKnownTexts } from '../known-texts.ts';
import { editorGroups } from '../rights.ts';
import { revisionOf } from '../values.ts';

const forEditors = { auth: 'user', groups: editorGroups } as const;
const id = z.number().int().positive();

/** Page settings for the dialog. `revision` identifies the values that were read. */
async function settingsOf(ctx: Ctx, page: number) {
  const row = await ctx.model(WebsitePage).get(page, {
    select: {
      name: true,
      url: true,
      website_published: true,
      date_publish: true,
      website_indexed: true,
      is_homepage: true,
      website_id: true,
      menu_ids: true,
    },
  });
  const settings = {
    id: row.id,
    name: row.name,
    url: row.url,
    published: row.website_published,
    publish_at: row.date_publish?.toISOString() ?? null,
    indexed: row.website_indexed,
    homepage: row.is_homepage,
    website_id: row.website_id,
    in_menu: row.menu_ids.length > 0,
  };
  return { ...settings, revision: revisionOf(settings) };
}

export const pageSettings = route.rpc(
  '/website/editor/page',
  { ...forEditors, name: 'website.editor_page', input: z.object({ id }) },
  async ({ ctx, input }) => ({
    page: await settingsOf(ctx, input.id),
    websites: (await readWebsites(ctx)).map(({ id: site, name }) => ({ id: site, name })),
  }),
);

/** Saves the settings and returns the page's address. Rejected if another user changed them meanwhile. */
export const savePageSettings = route.rpc(
  '/website/editor/page/save',
  {
    ...forEditors,
    name: 'website.editor_page_save',
    writes: true,
    input: z.object({
      id,
      revision: z.string(),
      name: z.string().trim().min(1, 'Enter a title for the page.').max(255),
      url: z.string().trim().min(1, 'Enter an address for the page.').max(255),
      redirect: z.boolean().default(true),
      published: z.boolean(),
      publish_at: z.iso.datetime().nullable(),
      anyway: z.boolean().default(false),
      indexed: z.boolean(),
      homepage: z.boolean(),
      in_menu: z.boolean(),
      website_id: id.nullable(),
    }),
  },
  async ({ ctx, input }) => {
    const before = await settingsOf(ctx, input.id);
    if (before.revision !== input.revision) {
      throw new Conflict('Someone else changed these settings. Open them again.', {
        code: 'website.settings_changed',
      });
    }
    const pages = ctx.model(WebsitePage);
    const values = {
      name: input.name,
      url: input.url,
      // Only changed values need a confirmation.
      ...(input.published === before.published ? {} : { website_published: input.published }),
      ...(input.publish_at === before.publish_at
        ? {}
        : { date_publish: input.publish_at === null ? null : new Date(input.publish_at) }),
      ...(input.anyway ? { publish_anyway: true } : {}),
      website_indexed: input.indexed,
      website_id: input.website_id,
    };
    await pages.changeAddress([input.id], values, { redirect: input.redirect });
    if (input.homepage !== before.homepage) await pages.setHomepage([input.id], input.homepage);
    if (input.in_menu !== before.in_menu) await setInMenu(ctx, input.id, input.in_menu);
    const after = await pages.get(input.id, { select: { website_url: true } });
    return { url: after.website_url };
  },
);

async function setInMenu(ctx: Ctx, page: number, isInMenu: boolean): Promise<void> {
  const menus = ctx.model(WebsiteMenu);
  if (!isInMenu) {
    await menus.unlink(await menus.search([['page_id', '=', page]]));
    return;
  }
  const { name, url, website_id } = await ctx
    .model(WebsitePage)
    .get(page, { select: { name: true, url: true, website_id: true } });
  const parent = await rootMenu(ctx);
  await menus.create({ name, url, website_id, page_id: page, parent_id: parent });
}

async function rootMenu(ctx: Ctx): Promise<number | null> {
  const site = await currentWebsite(ctx);
  return site ? ((await ctx.model(Website).mainMenus([site.id])).get(site.id) ?? null) : null;
}

/** Creates a page and returns its address for editing. */
export const newPage = route.rpc(
  '/website/editor/page/new',
  {
    ...forEditors,
    name: 'website.editor_page_new',
    writes: true,
    limit: { bytes: 2_000_000 },
    input: z.object({
      name: z.string().trim().min(1, 'Enter a title for the page.').max(255),
      url: z.string().trim().max(255).optional(),
      content: z.string().max(1_000_000).optional(),
      menu: z.boolean().default(true),
    }),
  },
  async ({ ctx, input, renderFragment }) => {
    const pages = ctx.model(WebsitePage);
    const page = await pages.newPage({
      name: input.name,
      menu: input.menu,
      ...(input.url ? { url: input.url } : {}),
      ...(input.content ? { content: input.content } : {}),
    });
    await keepKnownTexts(ctx, renderFragment, { model: pages, id: page.id, field: 'content' });
    return page;
  },
);

export const copyPage = route.rpc(
  '/website/editor/page/copy',
  { ...forEditors, name: 'website.editor_page_copy', writes: true, input: z.object({ id }) },
  async ({ ctx, input }) => {
    const copy = await ctx.model(WebsitePage).copy(input.id);
    return ctx.model(WebsitePage).get(copy, { select: { url: true } });
  },
);

export const removePage = route.rpc(
  '/website/editor/page/remove',
  { ...forEditors, name: 'website.editor_page_remove', writes: true, input: z.object({ id }) },
  async ({ ctx, input }) => {
    await ctx.model(WebsitePage).unlink(input.id);
    return true;
  },
);

/** Main menu of the site as a tree, the site, and the blocks that entries can open. */
export const menuTree = route.rpc(
  '/website/editor/menu',
  { ...forEditors, name: 'website.editor_menu' },
  async ({ ctx }) => {
    const site = await requireSite(ctx);
    const panels = await ctx.model(SavedBlock).find([], { select: { name: true } });
    return {
      website_id: site.id,
      root: await ctx.model(WebsiteMenu).get_tree(site.id),
      panels: panels.map(({ id: block, name }) => ({ id: block, name })),
    };
  },
);

const menuItem = z.object({
  id: z.union([id, z.string().regex(/^new-\w{1,20}$/)]),
  name: z.string().trim().min(1, 'Enter a name for each item.').max(255),
  url: z.string().trim().max(1024),
  new_window: z.boolean(),
  panel_id: z.union([id, z.literal(false)]),
  sequence: z.number().int(),
  parent_id: z.union([id, z.string().regex(/^new-\w{1,20}$/), z.literal(false)]),
});

export const saveMenu = route.rpc(
  '/website/editor/menu/save',
  {
    ...forEditors,
    name: 'website.editor_menu_save',
    writes: true,
    input: z.object({ data: z.array(menuItem).max(300), to_delete: z.array(id).max(300) }),
  },
  async ({ ctx, input }) => ctx.model(WebsiteMenu).save((await requireSite(ctx)).id, input),
);

async function requireSite(ctx: Ctx) {
  const site = await currentWebsite(ctx);
  if (site) return site;
  throw new NotFound('No website is set up.', { code: 'website.no_website' });
}

/** Maximum link suggestions. */
const mostLinks = 9;

/** Link suggestions whose name or address contains the text: pages first, then suggestions of addons. */
export const links = route.rpc(
  '/website/editor/links',
  { ...forEditors, name: 'website.editor_links', input: z.object({ q: z.string().max(100) }) },
  async ({ ctx, input }) => {
    const needle = input.q.trim();
    const pages = await ctx
      .model(WebsitePage)
      .find(['|', ['name', 'ilike', needle], ['url', 'like', needle.toLowerCase()]], {
        select: { name: true, website_url: true },
        limit: mostLinks * 3,
      });
    // Several websites can have a page at the same address.
    const pageLinks = [
      ...new Map(pages.map(({ name, website_url: url }) => [url ?? '/', { name, url: url ?? '/' }])).values(),
    ];
    const fixed = ctx
      .get(routes)
      .all.filter(
        ({ route: { kind, path, auth, options } }) =>
          kind === 'page' && auth === 'public' && !/[:*]/.test(path) && !options.groups,
      )
      .map(({ route: { path } }) => ({ name: path, url: path }))
      .filter(
        ({ url }) =>
          url.includes(needle.toLowerCase()) && !url.startsWith('/web') && !pageLinks.some((page) => page.url === url),
      );
    return { links: [...pageLinks, ...fixed].slice(0, mostLinks) };
  },
);
