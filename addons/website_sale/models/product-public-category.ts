import { MultiWebsite, Published, Seo } from '@pergola/website';
import { type FieldsOf, f, type Id, type Ids, model, slugify, type Values } from 'pergola';

/** A node of the category tree that visitors browse. */
export class PublicCategory extends model(
  'product.public.category',
  {
    name: f.char({ required: true, translate: true, label: 'Category' }),
    parent_id: f.many2one('product.public.category', { ondelete: 'restrict', index: true, label: 'Parent category' }),
    child_id: f.one2many('product.public.category', 'parent_id', { label: 'Subcategories' }),
    sequence: f.integer({ default: 10 }),
    image: f.image({ label: 'Image' }),
    description: f.text({ translate: true, label: 'Introduction', help: 'Shown above the products of the category' }),
    /** Ids from the root down to the category, such as `/1/4/`; finds subcategories by index. */
    path: f.char({ readonly: true, copy: false, index: true, default: '/', size: 1000 }),
  },
  {
    order: 'sequence, name, id',
    label: 'Shop category',
    mixins: [Published, Seo, MultiWebsite],
    search: ['name'],
  },
) {
  override async afterCreate(ids: Ids, values: readonly Values<FieldsOf<PublicCategory>>[]): Promise<void> {
    await super.afterCreate(ids, values);
    await this.#renewPaths(ids);
  }

  override async afterWrite(ids: Ids, values: Values<FieldsOf<PublicCategory>>): Promise<void> {
    await super.afterWrite(ids, values);
    if (values.parent_id !== undefined) await this.#renewPaths(ids);
  }

  override async websiteUrls(ids: Ids): Promise<Map<Id, string>> {
    const rows = await this.read(ids, { select: { name: true } });
    return new Map(rows.map(({ id, name }) => [id, categoryUrl(id, name)]));
  }

  /** Name with all parent categories, `Garden / Tools`. */
  override async displayNames(ids: Ids): Promise<Map<Id, string>> {
    const rows = await this.read(ids, { select: { name: true, path: true } });
    const categoryIds = [...new Set(rows.flatMap(({ path }) => idsOf(path)))];
    const names = new Map((await this.read(categoryIds, { select: { name: true } })).map(({ id, name }) => [id, name]));
    return new Map(
      rows.map(({ id, name, path }) => [
        id,
        idsOf(path)
          .map((categoryId) => (categoryId === id ? name : names.get(categoryId)))
          .filter((categoryName) => categoryName !== undefined)
          .join(' / ') || name,
      ]),
    );
  }

  async #renewPaths(ids: Ids): Promise<void> {
    // Reads the whole tree, even parts the caller can't see.
    const all = this.ctx.sudo().model(PublicCategory);
    // Moving a category changes its path.
    const moved = await all.read(ids, { select: { parent_id: true } });
    await this.ctx.lock(
      PublicCategory,
      moved.flatMap(({ parent_id }) => parent_id ?? []),
    );
    const rows = await all.find([], { select: { parent_id: true, path: true } });
    const parents = new Map(rows.map(({ id, parent_id }) => [id, parent_id]));
    for (const { id, path } of rows) {
      const right = pathOf(id, parents);
      if (right !== path) await all.write(id, { path: right });
    }
  }
}

/** Returns the URL of a category, without language. */
export function categoryUrl(id: Id, name: string): string {
  const slug = slugify(name);
  return `/shop/category/${slug === '' ? id : `${slug}-${id}`}`;
}

/** Returns the ids in a category's path, from the root down. */
export function idsOf(path: string | null): Id[] {
  return (path ?? '').split('/').flatMap((part) => (part === '' ? [] : [Number(part)]));
}

function pathOf(id: Id, parents: ReadonlyMap<Id, Id | null>): string {
  const chain: Id[] = [];
  for (let next: Id | null | undefined = id; next && !chain.includes(next); next = parents.get(next)) chain.push(next);
  return `/${chain.reverse().join('/')}/`;
}

declare module 'pergola' {
  interface Models {
    'product.public.category': PublicCategory;
  }
}
