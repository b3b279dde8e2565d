import { onWebsite } from '@pergola/website';
import { type Ctx, type Domain, type FieldsOf, type Id, liveValues } from 'pergola';
import { categoryUrl, idsOf, PublicCategory } from '../../models/product-public-category.ts';

/** A category as shown on pages. */
export interface CategoryNode {
  readonly id: Id;
  readonly name: string;
  readonly url: string;
  readonly parent: Id | null;
  readonly above: readonly Id[];
}

/** Returns the site's categories that the caller can see, by id, in order. One query; none for visitors, whose result is cached. */
export async function readCategories(ctx: Ctx): Promise<ReadonlyMap<Id, CategoryNode>> {
  const site = ctx.attributes.website;
  if (!site || ctx.has('base.group_user')) return nodesOf(ctx, [...onWebsite(ctx)]);
  // Published categories of the site are public.
  return ctx.get(publishedCategories).get(ctx.sudo(), `${ctx.lang}:${site.id}`);
}

/** Cache key: `language:website`. */
export const publishedCategories = liveValues('website_sale.categories', {
  read: (system, key) => {
    const [lang = system.lang, site] = key.split(':');
    return nodesOf(system.as({ lang }), [
      ['website_published', '=', true],
      '|',
      ['website_id', '=', null],
      ['website_id', '=', Number(site)],
    ]);
  },
});

async function nodesOf(
  ctx: Ctx,
  domain: Domain<FieldsOf<InstanceType<typeof PublicCategory>>>,
): Promise<ReadonlyMap<Id, CategoryNode>> {
  const rows = await ctx.model(PublicCategory).find(domain, { select: { name: true, parent_id: true, path: true } });
  return new Map(
    rows.map(({ id, name, parent_id: parent, path }) => [
      id,
      { id, name, parent, url: categoryUrl(id, name), above: idsOf(path).filter((ancestor) => ancestor !== id) },
    ]),
  );
}

/** A category in the tree next to the products. */
export interface TreeNode {
  readonly name: string;
  readonly url: string;
  /** Whether subcategories are shown. */
  readonly open: boolean;
  readonly current: boolean;
  readonly below: readonly TreeNode[] | null;
}

/** Returns the category tree shown next to products: expanded along the path to the current category, and the top level. */
export function treeOf(nodes: ReadonlyMap<Id, CategoryNode>, current: Id | null): TreeNode[] {
  const way = new Set(current === null ? [] : [current, ...(nodes.get(current)?.above ?? [])]);
  const byParent = Map.groupBy(nodes.values(), ({ parent }) => (parent !== null && nodes.has(parent) ? parent : null));
  const nodesBelow = (parent: Id | null): TreeNode[] =>
    (byParent.get(parent) ?? []).map(({ id, name, url }) => {
      const open = way.has(id);
      const children = open ? nodesBelow(id) : [];
      return { name, url, open, current: id === current, below: children.length > 0 ? children : null };
    });
  return nodesBelow(null);
}

/** Returns a category with all its subcategories. */
export function withBelow(nodes: ReadonlyMap<Id, CategoryNode>, id: Id): Id[] {
  return [id, ...[...nodes.values()].flatMap((node) => (node.above.includes(id) ? [node.id] : []))];
}

/** Returns the main category of a product: the first one the caller may see. */
export function mainCategory(
  { public_categ_ids: ids }: { readonly public_categ_ids: readonly Id[] },
  nodes: ReadonlyMap<Id, CategoryNode>,
): Id | null {
  return ids.find((id) => nodes.has(id)) ?? null;
}

/** Returns the links from the top category down to a category; the current page has no URL. */
export function crumbsTo(
  nodes: ReadonlyMap<Id, CategoryNode>,
  id: Id | null,
): { readonly name: string; readonly url: string }[] {
  if (id === null) return [];
  const node = nodes.get(id);
  return [...(node?.above ?? []), id].flatMap((categoryId) => {
    const category = nodes.get(categoryId);
    return category ? [{ name: category.name, url: category.url }] : [];
  });
}
