import type { Ctx, Id } from 'pergola';
import { pagerOf, SiteSearch } from '#addons/website';
import { ShopTemplate } from '../models/product-template.ts';
import { type Card, cardSelect, cardsOf } from '../services/catalogue/cards.ts';
import { crumbsTo, readCategories, treeOf, withBelow } from '../services/catalogue/categories.ts';
import { fitting, inOneVariant, rarestOf, withCode } from '../services/catalogue/domain.ts';
import { countedBefore, facetsOf } from '../services/catalogue/facets.ts';
import {
  listUrl,
  MOST_COUNTED,
  MOST_SEARCHED,
  orders,
  PAGE_SIZE,
  type ProductQuery,
  without,
} from '../services/catalogue/product-query.ts';
import { plural, t } from '../texts.ts';

/** Where a list stands, and what is asked of it. */
export interface ListAbout {
  readonly query: ProductQuery;
  /** The category's id; null for the whole shop. */
  readonly category: Id | null;
  /** Path without language. */
  readonly path: string;
}

/** The values of a list of products: cards, facets, tree, ways to sort, pages. A fixed number of queries, whatever the size of the shop. */
export async function listPage(ctx: Ctx, { query: wanted, category, path }: ListAbout) {
  const nodes = await readCategories(ctx);
  const { query, domain, found, before, total } = await foundBy(ctx, { query: wanted, category }, nodes);
  const pager = pagerOf({
    page: query.page,
    count: total,
    size: PAGE_SIZE,
    address: (number) => listUrl(path, query, { page: number }),
  });
  const { page, offset } = pager;
  const templates = ctx.model(ShopTemplate);
  const rows = found
    ? await templates.read(found.slice(offset, offset + PAGE_SIZE), { select: cardSelect })
    : await templates.find(domain, { select: cardSelect, order: sortOf(query), limit: PAGE_SIZE, offset });
  const facets = await facetsOf(ctx, { path, query, found, before });
  return {
    cards: withLast(await cardsOf(ctx, rows, { eager: 4, chosen: query.chosen })),
    facets: facets.length > 0 ? facets : null,
    categories: nodes.size > 0 ? treeOf(nodes, category) : null,
    crumbs: category === null ? null : crumbs(ctx, nodes, category),
    action: path,
    search: wanted.search,
    corrected: query.search === wanted.search ? null : query.search,
    list: query.view === 'list',
    kept: query.view === 'list' ? { view: 'list' } : {},
    count: countText(ctx, query, { total, found }),
    show: showText(ctx, query, { total, found }),
    pager,
    orders: Object.entries(orders).map(([value, { label }]) => ({
      value,
      label: t(ctx, label),
      chosen: value === query.order,
    })),
    chosen: chosenOf(path, query, facets),
    category,
    clearUrl: listUrl(path, query, { chosen: new Map() }),
    gridUrl: listUrl(path, query, { view: 'grid', page }),
    listUrl: listUrl(path, query, { view: 'list', page }),
    here: listUrl(path, query, { page }),
  };
}

/** How many products a query finds, as the button says it that shows them. */
export async function countPage(ctx: Ctx, about: Omit<ListAbout, 'path'>): Promise<string> {
  const { query, ...found } = await foundBy(ctx, about, await readCategories(ctx));
  return showText(ctx, query, found);
}

type Nodes = Awaited<ReturnType<typeof readCategories>>;

/** What a query finds, or one with the words it means where nothing has those that were typed. */
async function foundBy(ctx: Ctx, { query, category }: Omit<ListAbout, 'path'>, nodes: Nodes) {
  const look = (search: string) => foundAsTyped(ctx, { query: { ...query, search }, category }, nodes);
  return (await ctx.get(SiteSearch).meant(query.search, look, ({ total }) => total > 0)).found;
}

/** Of what is searched or chosen the ids, of the rest the number alone. */
async function foundAsTyped(ctx: Ctx, { query, category }: Omit<ListAbout, 'path'>, nodes: Nodes) {
  const categories = category === null ? null : withBelow(nodes, category);
  const [rarest, codes] = [await rarestOf(ctx, query), await withCode(ctx, query)];
  const domain = fitting(ctx, query, categories, { rarest, codes });
  const plain = query.search === '' && query.chosen.size === 0;
  // Of what is searched or chosen the ids are read once, for the number, the page and the facets; never more than can be looked through.
  const found = plain
    ? null
    : await inOneVariant(
        ctx,
        query,
        await ctx.model(ShopTemplate).search(domain, {
          order: sortOf(query, rarest !== null),
          limit: query.search !== '' ? MOST_SEARCHED : MOST_COUNTED + 1,
        }),
      );
  const before = await countedBefore(ctx, category, query.all);
  const total = found ? Math.min(found.length, MOST_COUNTED) : await countOf(ctx, before.products, domain);
  return { query, domain, found, before, total };
}

/**
 * What the search finds best comes first unless another order is asked for. Of few products, a list that begins with what all have alike cannot be read off
 * an index of the whole shop, which SQLite would prefer to looking at those few.
 */
function sortOf({ search, order }: ProductQuery, few = false): string | undefined {
  if (search !== '' && order === 'featured') return undefined;
  return few ? `sale_ok, ${orders[order].sql}` : orders[order].sql;
}

interface Found {
  readonly total: number;
  readonly found: readonly Id[] | null;
}

/** Whether there may be more than were looked at. */
function isPart({ search }: ProductQuery, { total, found }: Found): boolean {
  return (search !== '' && total === MOST_SEARCHED) || (found !== null && found.length > MOST_COUNTED);
}

function countText(ctx: Ctx, query: ProductQuery, found: Found): string {
  const { total: n } = found;
  if (!isPart(query, found)) return plural(ctx, '{n} product', '{n} products', n);
  return n === MOST_SEARCHED ? t(ctx, '{n} products and more', { n }) : t(ctx, 'More than {n} products', { n });
}

function showText(ctx: Ctx, query: ProductQuery, found: Found): string {
  const { total: n } = found;
  if (n === 0) return t(ctx, 'No products fit');
  return isPart(query, found)
    ? t(ctx, 'Show more than {n} products', { n })
    : plural(ctx, 'Show {n} product', 'Show {n} products', n);
}

/** Columns of the grid by the width of the window (see the style sheet), and whether large products take more of them. */
const grids = { small: [2, false], medium: [3, false], large: [3, true], wide: [4, true] } as const;

/** The cards of a grid, whose last one takes what is left of its row. */
function withLast(cards: readonly Card[]) {
  const cells = cards.reduce((sum, { wide, tall }) => sum + (wide === 2 ? (tall === 2 ? 4 : 2) : 1), 0);
  const last = cards.at(-1);
  if (!last || last.wide === 2) return cards;
  const spans = Object.entries(grids).map(([size, [columns, isSized]]) => {
    const taken = isSized ? cells : cards.length;
    const span = taken > columns ? 1 + ((columns - (taken % columns)) % columns) : 1;
    return `--last-${size}:${span}`;
  });
  return [...cards.slice(0, -1), { ...last, last: spans.join(';') }];
}

/** How many products there are: for visitors of a large shop as counted beforehand, else exactly. */
async function countOf(ctx: Ctx, counted: number | null, domain: ReturnType<typeof fitting>): Promise<number> {
  if (counted !== null && counted > MOST_COUNTED && !ctx.has('base.group_user')) return counted;
  return ctx.model(ShopTemplate).count(domain);
}

function crumbs(ctx: Ctx, nodes: Awaited<ReturnType<typeof readCategories>>, category: Id) {
  const way = crumbsTo(nodes, category);
  return [
    { name: t(ctx, 'Shop'), url: '/shop' },
    ...way.map((crumb, place) => (place === way.length - 1 ? { ...crumb, url: null } : crumb)),
  ];
}

function chosenOf(path: string, query: ProductQuery, facets: Awaited<ReturnType<typeof facetsOf>>) {
  const chips = facets.flatMap(({ id, values }) =>
    values
      .filter(({ chosen }) => chosen)
      .map(({ key, name }) => ({
        name,
        url: listUrl(path, query, { chosen: without(query, id, Number(key.split('-')[1])) }),
      })),
  );
  return chips.length > 0 ? chips : null;
}
