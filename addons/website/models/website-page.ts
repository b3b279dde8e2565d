import { app, type Ctx, type FieldsOf, f, type Id, type Ids, InvalidInput, model, type Values } from 'pergola';
import { findingsOf, findingsText } from '../editor/findings.ts';
import { revisionOf } from '../editor/values.ts';
import { MultiWebsite } from '../mixins/multi-website.ts';
import { Published } from '../mixins/published.ts';
import { Seo } from '../mixins/seo.ts';
import { currentWebsite } from '../services/current-website.ts';
import { withHeadingIds } from '../services/headings.ts';
import { addressOfTitle, checkAddress, isTaken, plainAddress } from '../services/page-address.ts';
import { t } from '../texts.ts';
import { beside } from './beside.ts';
import { Website } from './website.ts';
import { WebsiteMenu } from './website-menu.ts';
import { WebsiteRedirect } from './website-redirect.ts';

const publisher = 'website.group_website_publisher';

/** Page created by editors at its own address. Visible to visitors once published and its publication date has come. */
export class WebsitePage extends model(
  'website.page',
  {
    name: f.char({ required: true, translate: true, label: 'Title' }),
    url: f.char({ required: true, index: true, tracked: true, label: 'Address', help: '/about-us' }),
    content: f.html({ translate: true, sanitize: 'page' }),
    date_publish: f.datetime({
      label: 'Publish on',
      help: 'Visitors see the page from then on. Leave empty to publish now.',
      copy: false,
    }),
    publish_anyway: f.boolean({
      label: 'Publish anyway',
      help: 'For this save only: publish despite the issues found',
      copy: false,
    }),
    website_indexed: f.boolean({ default: true, label: 'Visible to search engines' }),
    is_visible: f.boolean({ compute: 'visibility', label: 'Visible to visitors' }),
    shadowed_on: f.char({
      compute: 'shadows',
      label: 'Hidden on',
      help: 'Websites with their own page at this address',
    }),
    is_homepage: f.boolean({ compute: 'homepages', label: 'Home page' }),
    check_date: f.datetime({ label: 'Checked', readonly: true, copy: false, groups: publisher }),
    check_faults: f.json({ label: 'Check results', readonly: true, copy: false, groups: publisher }),
    check_revision: f.char({
      size: 64,
      readonly: true,
      copy: false,
      groups: publisher,
      label: 'Checked text',
    }),
    addon: f.char({
      size: 63,
      readonly: true,
      default: ({ attributes }) => attributes.shippedBy ?? null,
      label: 'App',
      help: 'Visitors see the page only while this app is enabled',
    }),
    menu_ids: f.one2many('website.menu', 'page_id', { label: 'Menu items' }),
  },
  { order: 'url, id', label: 'Page', search: ['name', 'url', 'content'], mixins: [Published, Seo, MultiWebsite] },
) {
  override async beforeCreate(
    values: readonly Values<FieldsOf<WebsitePage>>[],
  ): Promise<readonly Values<FieldsOf<WebsitePage>>[]> {
    return super.beforeCreate(values.map(normalise));
  }

  override async write(ids: Id | Ids, values: Values<FieldsOf<WebsitePage>>): Promise<void> {
    if (!('url' in values) && !('website_id' in values)) return super.write(ids, values);
    await this.changeAddress(typeof ids === 'number' ? [ids] : ids, values, { redirect: true });
  }

  override async beforeWrite(ids: Ids, values: Values<FieldsOf<WebsitePage>>): Promise<Values<FieldsOf<WebsitePage>>> {
    if (typeof values.name === 'string') await this.#renameInMenu(ids, values.name);
    return super.beforeWrite(ids, normalise(values));
  }

  /** Renames menu entries that had the page's previous name, in the context's language; custom names stay. */
  async #renameInMenu(ids: Ids, name: string): Promise<void> {
    const menus = this.ctx.sudo().model(WebsiteMenu);
    const entries = await menus.find([['page_id', 'in', ids]], { select: { name: true, page_id: { name: true } } });
    const namesakes = entries.filter((entry) => entry.name === entry.page_id?.name && entry.name !== name);
    if (namesakes.length > 0)
      await menus.write(
        namesakes.map(({ id }) => id),
        { name },
      );
  }

  override async beforeUnlink(ids: Ids): Promise<void> {
    // Deleting a page also deletes its menu entries and redirects, regardless of rights on those.
    const system = this.ctx.sudo();
    const entries = await system.model(WebsiteMenu).search([['page_id', 'in', ids]]);
    await system.model(WebsiteMenu).unlink(entries);
    await system.model(WebsiteRedirect).forget(await this.#places(ids));
    await super.beforeUnlink(ids);
  }

  override async validate(ids: Ids, changed: ReadonlySet<string>): Promise<void> {
    await super.validate(ids, changed);
    if (!this.ctx.su && (changed.has('website_published') || changed.has('date_publish')))
      await this.#askBeforePublishing(ids);
    if (!changed.has('url') && !changed.has('website_id')) return;
    // Serialises the check for free addresses.
    const sites = await this.ctx.sudo().model(Website).search([]);
    await this.ctx.lock(Website, sites);
    for (const { id, url, website_id } of await this.#places(ids)) {
      await checkAddress(this.ctx, url);
      const [conflicting] = await this.ctx
        .sudo()
        .model(WebsitePage)
        .find(
          [
            ['url', '=', url],
            ['website_id', '=', website_id],
            ['id', '!=', id],
          ],
          { select: { name: true }, limit: 1 },
        );
      if (!conflicting) continue;
      const refusal = new InvalidInput('The page “{page}” already has this address. Choose another one.', {
        code: 'website.address_taken',
        params: { page: conflicting.name },
      });
      throw beside('url', refusal);
    }
  }

  /** Asks once about known issues before publishing; the user can publish despite them. */
  async #askBeforePublishing(ids: Ids): Promise<void> {
    const rows = await this.read(ids, { select: { website_published: true, publish_anyway: true } });
    for (const { id } of rows.filter((row) => row.website_published && !row.publish_anyway)) {
      const findings = await findingsOf(this.ctx, id);
      if (findings.length === 0) continue;
      const refusal = new InvalidInput(
        'Visitors would notice these issues: {findings}. Fix them in the editor, or save with “Publish anyway”.',
        { code: 'website.check_first', params: { findings: findingsText(this.ctx, findings) } },
      );
      throw beside('publish_anyway', refusal);
    }
  }

  override async afterCreate(ids: Ids, values: readonly Values<FieldsOf<WebsitePage>>[]): Promise<void> {
    await super.afterCreate(ids, values);
    await this.ctx
      .sudo()
      .model(WebsiteRedirect)
      .makeRoom(await this.#places(ids));
    await this.#forgetAnswer(ids.filter((_, index) => values[index]?.publish_anyway));
    await this.#markChecked(ids.filter((_, index) => values[index]?.check_date));
  }

  /** Marks pages of addons that declare a check date as checked with their initial content. */
  async #markChecked(ids: Ids): Promise<void> {
    for (const { id, content } of await this.read(ids, { select: { content: true } }))
      await this.write(id, { check_revision: revisionOf(content) });
  }

  override async afterWrite(ids: Ids, values: Values<FieldsOf<WebsitePage>>): Promise<void> {
    await super.afterWrite(ids, values);
    if (values.publish_anyway) await this.#forgetAnswer(ids);
  }

  /** The confirmation applies to a single save. */
  async #forgetAnswer(ids: Ids): Promise<void> {
    if (ids.length > 0) await this.ctx.sudo().model(WebsitePage).write(ids, { publish_anyway: false });
  }

  override async copy(id: Id, values: Values<FieldsOf<WebsitePage>> = {}): Promise<Id> {
    const { name, url } = await this.get(id, { select: { name: true, url: true } });
    const copied = { name: t(this.ctx, '{name} (copy)', { name }), url: await this.freeAddress(url), ...values };
    return super.copy(id, copied);
  }

  /**
   * Writes pages whose address changes (or any other values). Menu entries follow, and the old addresses redirect to the new ones unless
   * `redirect` is false.
   */
  async changeAddress(
    ids: Ids,
    values: Values<FieldsOf<WebsitePage>>,
    { redirect }: { redirect: boolean },
  ): Promise<void> {
    const before = await this.#places(ids);
    await super.write(ids, values);
    const after = new Map((await this.#places(ids)).map((place) => [place.id, place]));
    // Menu entries and redirects belong to the page's address, so they change without separate rights.
    const system = this.ctx.sudo();
    for (const old of before) {
      const place = after.get(old.id);
      if (!place || place.url === old.url) continue;
      await system.model(WebsiteMenu).followPage(old.id, place.url);
      await system.model(WebsiteRedirect).pageMoved(old, place.url, redirect);
    }
  }

  /** First address not used by a page or an addon: `/about`, `/about-2`, … */
  async freeAddress(preferred: string): Promise<string> {
    const base = preferred === '/' ? '/home' : preferred;
    const similar = await this.ctx
      .sudo()
      .model(WebsitePage)
      .find([['url', 'like', base]], { select: { url: true } });
    const urls = new Set(similar.map(({ url }) => url));
    for (let number = 1; ; number++) {
      const url = number === 1 ? base : `${base}-${number}`;
      if (!urls.has(url) && !isTaken(this.ctx, url)) return url;
    }
  }

  /**
   * Creates an unpublished page for the “New page” dialogs, at the given address or one derived from its title, optionally in the main
   * menu.
   *
   * @returns its id and address
   */
  async newPage(options: {
    name: string;
    url?: string;
    content?: string;
    menu?: boolean;
    websiteId?: Id | null;
  }): Promise<{ id: Id; url: string }> {
    const { name, content, menu = false, websiteId = null } = options;
    const url = options.url === undefined ? await this.freeAddress(addressOfTitle(name)) : plainAddress(options.url);
    const id = await this.create({ name, url, website_id: websiteId, ...(content === undefined ? {} : { content }) });
    if (menu) {
      const site = await currentWebsite(this.ctx);
      const parent = site ? (await this.ctx.model(Website).mainMenus([site.id])).get(site.id) : null;
      await this.ctx
        .model(WebsiteMenu)
        .create({ name, url, page_id: id, parent_id: parent ?? null, website_id: websiteId });
    }
    return { id, url };
  }

  /** Page at an address on the request's site, or null; pages of the site take precedence over shared ones. */
  async at(url: string): Promise<Id | null> {
    const site = await currentWebsite(this.ctx);
    const rows = await this.find(
      [
        ['url', '=', url],
        ['website_id', 'in', [site?.id ?? 0, null]],
      ],
      { select: { website_id: true } },
    );
    return (rows.find(({ website_id }) => website_id !== null) ?? rows[0])?.id ?? null;
  }

  /** Page at `/` on the request's site, or null: the configured home page, otherwise the page with that address. */
  async home(): Promise<Id | null> {
    const site = await currentWebsite(this.ctx);
    const homepageId = site?.homepageId ?? null;
    const [homepage] = homepageId === null ? [] : await this.allowed([homepageId], 'read');
    return homepage ?? this.at('/');
  }

  override async websiteUrls(ids: Ids): Promise<Map<Id, string>> {
    const [homes, rows] = [await this.homepages(ids), await this.read(ids, { select: { url: true } })];
    return new Map(rows.map(({ id, url }) => [id, homes.get(id) ? '/' : url]));
  }

  /** Returns for each page whether it is the home page of its site, or of the request's site. */
  async homepages(ids: Ids): Promise<Map<Id, boolean>> {
    const sites = await this.ctx
      .sudo()
      .model(Website)
      .find([], { select: { homepage_id: true } });
    const site = await currentWebsite(this.ctx);
    return new Map(
      (await this.#places(ids)).map(({ id, url, website_id }) => {
        const home = sites.find((candidate) => candidate.id === (website_id ?? site?.id))?.homepage_id ?? null;
        return [id, home === null ? url === '/' : home === id];
      }),
    );
  }

  /** Names of the sites that replace a shared page with their own. */
  async shadows(ids: Ids): Promise<Map<Id, string | null>> {
    const rows = await this.read(ids, { select: { url: true, website_id: true } });
    const shared = rows.flatMap(({ url, website_id }) => (website_id === null ? [url] : []));
    // Users who can read the pages may know which sites have one at the same address.
    const replacements = await this.ctx
      .sudo()
      .model(WebsitePage)
      .find(
        [
          ['url', 'in', shared],
          ['website_id', '!=', null],
          ['website_published', '=', true],
        ],
        { select: { url: true, website_id: { name: true } }, order: 'website_id, id' },
      );
    const sites = Map.groupBy(replacements, ({ url }) => url);
    const siteNames = (url: string) => sites.get(url)?.flatMap(({ website_id }) => website_id?.name ?? []) ?? [];
    return new Map(
      rows.map(({ id, url, website_id }) => [id, website_id === null ? siteNames(url).join(', ') || null : null]),
    );
  }

  async visibility(ids: Ids): Promise<Map<Id, boolean>> {
    const visible = new Set(await this.search([['id', 'in', ids], ...visibleNow(this.ctx)]));
    return new Map(ids.map((id) => [id, visible.has(id)]));
  }

  /** Sets the page as the home page of its site, or of the request's site; `false` resets the home page to the page at `/`. */
  async setHomepage(ids: Ids, isHome = true): Promise<void> {
    const current = await currentWebsite(this.ctx);
    for (const { id, website_id } of await this.#places(ids)) {
      const site = website_id ?? current?.id;
      if (site === undefined) continue;
      const { homepage_id } = await this.ctx.model(Website).get(site, { select: { homepage_id: true } });
      if (isHome) await this.ctx.model(Website).write(site, { homepage_id: id });
      else if (homepage_id === id) await this.ctx.model(Website).write(site, { homepage_id: null });
    }
  }

  #places(ids: Ids): Promise<PagePlace[]> {
    return this.ctx
      .sudo()
      .model(WebsitePage)
      .read(ids, { select: { url: true, website_id: true } });
  }
}

/** Domain for pages currently visible to visitors. */
export function visibleNow(ctx: Ctx) {
  return [
    ['website_published', '=', true],
    '|',
    ['date_publish', '=', null],
    ['date_publish', '<=', ctx.now()],
    ['addon', 'in', [null, ...addonsOn(ctx)]],
  ] as const;
}

/** Returns whether the page belongs to no app or to an enabled one. */
export function isAppOn(ctx: Ctx, addon: string | null): boolean {
  return addon === null || addonsOn(ctx).includes(addon);
}

function addonsOn(ctx: Ctx): string[] {
  return ctx.get(app.addons).map(({ name }) => name);
}

/** Site and address of a page. */
export interface PagePlace {
  readonly id: Id;
  readonly url: string;
  readonly website_id: Id | null;
}

function normalise(values: Values<FieldsOf<WebsitePage>>): Values<FieldsOf<WebsitePage>> {
  const { url, content } = values;
  return {
    ...values,
    ...(typeof url === 'string' ? { url: plainAddress(url) } : {}),
    ...(content ? { content: linkable(content) } : {}),
  };
}

/** Adds ids to the headings for tables of contents. */
function linkable<C>(content: C): C {
  if (typeof content === 'string')
    return (content.includes('"website.table_of_contents"') ? withHeadingIds(content) : content) as C;
  if (typeof content !== 'object' || content === null || Array.isArray(content)) return content;
  return Object.fromEntries(Object.entries(content).map(([lang, text]) => [lang, linkable(text)])) as C;
}

declare module 'pergola' {
  interface Models {
    'website.page': WebsitePage;
  }
}
