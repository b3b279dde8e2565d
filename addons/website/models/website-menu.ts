import { Conflict, type FieldsOf, f, type Id, type Ids, InvalidInput, model, type Values, z } from 'pergola';
import { beside } from './beside.ts';

/** Positions of menus on pages. */
const places = { main: 'Header', footer: 'Footer' };
export type MenuPlace = keyof typeof places;

/** Entry of a site's menu; a root entry is the menu itself. Two levels below it are displayed. */
export class WebsiteMenu extends model(
  'website.menu',
  {
    name: f.char({ required: true, translate: true, label: 'Menu' }),
    url: f.char({ size: 1024, default: '', label: 'Address' }),
    new_window: f.boolean({ label: 'Open in a new window' }),
    sequence: f.integer({ default: 0, index: true }),
    website_id: f.many2one('website', {
      empty: 'all',
      ondelete: 'cascade',
      index: true,
      label: 'Website',
      help: 'Leave empty for all websites',
    }),
    parent_id: f.many2one('website.menu', { ondelete: 'cascade', index: true, label: 'Parent item' }),
    child_id: f.one2many('website.menu', 'parent_id', { label: 'Items' }),
    place: f.selection(places, { default: 'main', label: 'Location', help: 'Only for top-level menus' }),
    page_id: f.many2one('website.page', { ondelete: 'cascade', index: true, label: 'Page' }),
    panel_id: f.many2one('website.saved_block', {
      empty: 'none',
      label: 'Mega menu block',
      help: 'A saved block, shown instead of sub-items',
    }),
  },
  { order: 'sequence, id', label: 'Menu item' },
) {
  /** New entries are added at the end. */
  override async beforeCreate(
    values: readonly Values<FieldsOf<WebsiteMenu>>[],
  ): Promise<readonly Values<FieldsOf<WebsiteMenu>>[]> {
    const unplaced = values.some((value) => value.sequence === undefined);
    const [last] = unplaced
      ? await this.ctx
          .sudo()
          .model(WebsiteMenu)
          .find([], { select: { sequence: true }, order: 'sequence desc', limit: 1 })
      : [];
    const lastSequence = last?.sequence ?? 0;
    return super.beforeCreate(
      values.map((value, index) =>
        value.sequence === undefined ? { ...value, sequence: lastSequence + (index + 1) * 10 } : value,
      ),
    );
  }

  override async validate(ids: Ids, changed: ReadonlySet<string>): Promise<void> {
    await super.validate(ids, changed);
    if (changed.has('url')) {
      for (const { url } of await this.read(ids, { select: { url: true } })) {
        if (url === null || url === '' || isMenuAddress(url)) continue;
        const refusal = new InvalidInput(
          'A menu item links to a path on this site, a web address, or an email or phone link.',
          {
            code: 'website.bad_menu_address',
          },
        );
        throw beside('url', refusal);
      }
    }
  }

  /** Updates the entries of a page to its new address. */
  async followPage(page: Id, url: string): Promise<void> {
    const entries = await this.search([['page_id', '=', page]]);
    if (entries.length > 0) await this.write(entries, { url });
  }

  /** Root entries of a position: the site's own first, then those shared by all sites. */
  async rootsOf(websiteId: Id | null, place: MenuPlace = 'main'): Promise<Id[]> {
    const rows = await this.find(
      [
        '&',
        '&',
        ['parent_id', '=', null],
        ['place', '=', place],
        '|',
        ['website_id', '=', null],
        ['website_id', '=', websiteId],
      ],
      { select: { website_id: true } },
    );
    return rows.sort((a, b) => Number(a.website_id === null) - Number(b.website_id === null)).map(({ id }) => id);
  }

  /**
   * Menu of a site as a tree, for the menu editor.
   *
   * @returns `{ id, name, url, new_window, panel_id, sequence, parent_id, children: […] }`; the root is the menu itself.
   */
  async get_tree(websiteId: Id, place: MenuPlace = 'main'): Promise<MenuNode> {
    const { root, roots, rows } = await this.#menu(websiteId, place);
    const byParent = Map.groupBy(rows, ({ parent_id }) => parent_id);
    const node = (row: MenuRow, children: readonly MenuRow[]): MenuNode => ({
      id: row.id,
      name: row.name,
      url: row.url ?? '',
      new_window: row.new_window,
      panel_id: row.panel_id ?? false,
      sequence: row.sequence ?? 0,
      parent_id: row.parent_id ?? false,
      children: children.map((child) => node(child, byParent.get(child.id) ?? [])),
    });
    return node(
      root,
      rows.filter(({ parent_id }) => parent_id !== null && roots.includes(parent_id)),
    );
  }

  /**
   * Saves a menu from the editor: deletes entries, creates entries with a string id (`"new-1"`), then writes all with their parent and order.
   * Other menus stay unchanged.
   *
   * @returns true
   */
  async save(websiteId: Id, { data, to_delete: deletedIds }: SavedMenu, place: MenuPlace = 'main'): Promise<true> {
    const { root, roots, rows } = await this.#menu(websiteId, place);
    const rowsById = new Map(rows.map((row) => [row.id, row]));
    const usedIds = [...deletedIds, ...data.flatMap(({ id, parent_id }) => [id, parent_id])].filter(
      (id) => typeof id === 'number',
    );
    if (usedIds.some((id) => !rowsById.has(id)) || deletedIds.some((id) => roots.includes(id))) {
      throw new Conflict('Someone else changed the menu. Open it again.', { code: 'website.menu_changed' });
    }
    await this.unlink(deletedIds);
    const ids = new Map<number | string, Id>(
      data.flatMap(({ id }) => (typeof id === 'number' ? [[id, id] as const] : [])),
    );
    for (const { id, name, url } of data) {
      if (typeof id === 'number') continue;
      ids.set(id, await this.create({ name, url, website_id: root.website_id, parent_id: root.id }));
    }
    for (const [index, item] of data.entries()) {
      const id = ids.get(item.id);
      if (id === undefined || roots.includes(id)) continue;
      const parent_id = ids.get(item.parent_id || 0) ?? root.id;
      // Only top-level entries open a block.
      const panel_id = roots.includes(parent_id) ? item.panel_id : false;
      await this.write(id, {
        name: item.name,
        url: item.url,
        new_window: item.new_window,
        ...(panel_id === undefined ? {} : { panel_id: panel_id || null }),
        sequence: (index + 1) * 10,
        parent_id,
        page_id: await this.#pageOf(item.url, rowsById.get(id)?.page_id ?? null),
      });
    }
    return true;
  }

  /** A menu and all its entries. */
  async #menu(websiteId: Id, place: MenuPlace): Promise<{ root: MenuRow; roots: readonly Id[]; rows: MenuRow[] }> {
    const roots = await this.rootsOf(websiteId, place);
    const all = await this.#entries(websiteId);
    const rows: MenuRow[] = [];
    for (let level = all.filter(({ id }) => roots.includes(id)); level.length > 0 && rows.length <= all.length; ) {
      rows.push(...level);
      const ids = new Set(level.map(({ id }) => id));
      level = all.filter(({ parent_id }) => parent_id !== null && ids.has(parent_id));
    }
    const root = rows.find(({ id }) => id === roots[0]);
    if (!root) throw new Conflict('This website has no menu.', { code: 'website.no_menu' });
    return { root, roots, rows: all.filter((row) => rows.includes(row)) };
  }

  /** Page linked by an entry; the link is kept as long as the address is the page's. */
  async #pageOf(url: string, currentPage: Id | null): Promise<Id | null> {
    const pages = await this.ctx.modelNamed('website.page').find([['url', '=', url]], { select: { url: true } });
    return pages.find(({ id }) => id === currentPage)?.id ?? pages[0]?.id ?? null;
  }

  /** All entries of a site's menus, its own and the shared ones. */
  #entries(websiteId: Id): Promise<MenuRow[]> {
    return this.find(['|', ['website_id', '=', null], ['website_id', '=', websiteId]], {
      select: {
        name: true,
        url: true,
        new_window: true,
        panel_id: true,
        sequence: true,
        parent_id: true,
        page_id: true,
        website_id: true,
      },
    });
  }
}

interface MenuRow {
  readonly id: Id;
  readonly name: string;
  readonly url: string | null;
  readonly new_window: boolean;
  readonly panel_id: Id | null;
  readonly sequence: number | null;
  readonly parent_id: Id | null;
  readonly page_id: Id | null;
  readonly website_id: Id | null;
}

/** Menu entry with its children, for the editor. */
export interface MenuNode {
  readonly id: Id;
  readonly name: string;
  readonly url: string;
  readonly new_window: boolean;
  /** Saved block that the entry opens as a full-width panel. */
  readonly panel_id: Id | false;
  readonly sequence: number;
  readonly parent_id: Id | false;
  readonly children: readonly MenuNode[];
}

/** Menu editor payload: all entries in order, and the ids of deleted ones. */
export const savedMenu = z.object({
  data: z
    .array(
      z.object({
        id: z.union([z.number().int().positive(), z.string().min(1).max(64)]),
        name: z.string().trim().min(1).max(255),
        url: z.string().trim().max(1024).default(''),
        new_window: z.boolean().default(false),
        /** Unchanged if omitted. */
        panel_id: z.union([z.number().int().positive(), z.literal(false)]).optional(),
        parent_id: z
          .union([z.number().int().positive(), z.string().max(64), z.literal(false), z.null()])
          .default(false),
      }),
    )
    .max(500),
  to_delete: z.array(z.number().int().positive()).max(500).default([]),
});
export type SavedMenu = z.infer<typeof savedMenu>;

/** Returns whether a menu entry may have this address: a path of the site, an anchor, or a web, email or telephone link. */
function isMenuAddress(url: string): boolean {
  if (/^(\/(?![/\\])|#|\?)/.test(url)) return !/[\s\\\p{Cc}]/u.test(url);
  const address = URL.parse(url);
  return address !== null && ['http:', 'https:', 'mailto:', 'tel:'].includes(address.protocol);
}

declare module 'pergola' {
  interface Models {
    'website.menu': WebsiteMenu;
  }
}
