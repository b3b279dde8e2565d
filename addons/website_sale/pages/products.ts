import { pagerOf, SiteSearch } from '@pergola/website';
import type { Ctx, Id } from 'pergola';
import { ShopTemplate } from '../models/product-template.ts';
import { type Card, cardSelect, cardsOf } from '../services/catalogue/cards.ts';
import { crumbsTo, readCategories, treeOf, withBelow } from '../services/catalogue/categories.ts';
import { fitting, inOneVariant, rarestOf, withCode } from '../services/catalogue/domain.ts';
import { countedBefore, facetsOf } from '../services/catalogue/facets.ts';
import {
  listUrl,
  MAX_COUNTED,
  MAX_SEARCHED,
  orders,
  PAGE_SIZE,
  type ProductQuery,
  without,
} from '../services/catalogue/product-query.ts';
import { plural, t } from '../texts.ts';

/** Location and query of a product list. */
export interface ListAbout {
  readonly query: ProductQuery;
  /** Id of the category; null for the whole shop. */
  readonly category: Id | null;
  /** Path without language. */
  readonly path: string;
}

/**
 * Returns the values of a product list: cards, facets, category tree, sort orders, pages. A fixed number of queries, regardless of the
 * shop's size.
 */
export async function listPage(ctx: Ctx, { query: submitted, category, path }: ListAbout) {
  const nodes = await readCategories(ctx);
  const {
    query,
    domain,
    found: matches,
    before: counts,
    total,
  } = await searchProducts(ctx, { query: submitted, category }, nodes);
  const pager = pagerOf({
    page: query.page,
    count: total,
    size: PAGE_SIZE,
    address: (number) => listUrl(path, query, { page: number }),
  });
  const { page, offset } = pager;
  const templates = ctx.model(ShopTemplate);
  const rows = matches
    ? await templates.read(matches.slice(offset, offset + PAGE_SIZE), { select: cardSelect })
    : await templates.find(domain, { select: cardSelect, order: sortOf(query), limit: PAGE_SIZE, offset });
  const facets = await facetsOf(ctx, { path, query, found: matches, before: counts });
  return {
    cards: withFilledRow(await cardsOf(ctx, rows, { eager: 4, chosen: query.chosen })),
    facets: facets.length > 0 ? facets : null,
    categories: nodes.size > 0 ? treeOf(nodes, category) : null,
    crumbs: category === null ? null : crumbs(ctx, nodes, category),
    action: path,
    search: submitted.search,
    corrected: query.search === submitted.search ? null : query.search,
    list: query.view === 'list',
    kept: query.view === 'list' ? { view: 'list' } : {},
    count: countText(ctx, query, { total, found: matches }),
    show: showText(ctx, query, { total, found: matches }),
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

/** Returns the label of the filter button with the number of matching products. */
export async function countPage(ctx: Ctx, list: Omit<ListAbout, 'path'>): Promise<string> {
  const { query, ...matches } = await searchProducts(ctx, list, await readCategories(ctx));
  return showText(ctx, query, matches);
}

type Nodes = Awaited<ReturnType<typeof readCategories>>;

/** Runs a query; if its words match nothing, tries the words the visitor probably meant. */
async function searchProducts(ctx: Ctx, { query, category }: Omit<ListAbout, 'path'>, nodes: Nodes) {
  const look = (search: string) => findProducts(ctx, { query: { ...query, search }, category }, nodes);
  return (await ctx.get(SiteSearch).meant(query.search, look, ({ total }) => total > 0)).found;
}

/** Returns ids for searches and filters, and only the count for a plain list. */
async function findProducts(ctx: Ctx, { query, category }: Omit<ListAbout, 'path'>, nodes: Nodes) {
  const categories = category === null ? null : withBelow(nodes, category);
  const [rarest, codes] = [await rarestOf(ctx, query), await withCode(ctx, query)];
  const domain = fitting(ctx, query, categories, { rarest, codes });
  const plain = query.search === '' && query.chosen.size === 0;
  // Reads ids of a search or filter once, for the count, the page and the facets, up to a limit.
  const matches = plain
    ? null
    : await inOneVariant(
        ctx,
        query,
        await ctx.model(ShopTemplate).search(domain, {
          order: sortOf(query, rarest !== null),
          limit: query.search !== '' ? MAX_SEARCHED : MAX_COUNTED + 1,
        }),
      );
  const counts = await countedBefore(ctx, category, query.all);
  const total = matches ? Math.min(matches.length, MAX_COUNTED) : await countOf(ctx, counts.products, domain);
  return { query, domain, found: matches, before: counts, total };
}

/**
 * Sorts by relevance unless another order is requested. If few products match, starts the order with a column that is equal for all of
 * them: SQLite can't use an index for that, and would otherwise scan the index of the whole shop instead of sorting the few matches.
 */
function sortOf({ search, order }: ProductQuery, few = false): string | undefined {
  if (search !== '' && order === 'featured') return undefined;
  return few ? `sale_ok, ${orders[order].sql}` : orders[order].sql;
}

interface Found {
  readonly total: number;
  readonly found: readonly Id[] | null;
}

/** Whether there may be more matches than were read. */
function isTruncated({ search }: ProductQuery, { total, found: matches }: Found): boolean {
  return (search !== '' && total === MAX_SEARCHED) || (matches !== null && matches.length > MAX_COUNTED);
}

function countText(ctx: Ctx, query: ProductQuery, matches: Found): string {
  const { total: n } = matches;
  if (!isTruncated(query, matches)) return plural(ctx, '{n} product', '{n} products', n);
  return n === MAX_SEARCHED ? t(ctx, '{n}+ products', { n }) : t(ctx, 'More than {n} products', { n });
}

function showText(ctx: Ctx, query: ProductQuery, matches: Found): string {
  const { total: n } = matches;
  if (n === 0) return t(ctx, 'No matching products');
  return isTruncated(query, matches)
    ? t(ctx, 'Show more than {n} products', { n })
    : plural(ctx, 'Show {n} product', 'Show {n} products', n);
}

/** Columns of the grid by window width (see the style sheet), and whether large products span several columns. */
const grids = { small: [2, false], medium: [3, false], large: [3, true], wide: [4, true] } as const;

/** Cards of a grid, with the last one filling the rest of its row. */
function withFilledRow(cards: readonly Card[]) {
  const cells = cards.reduce((sum, { wide, tall }) => sum + (wide === 2 ? (tall === 2 ? 4 : 2) : 1), 0);
  const last = cards.at(-1);
  if (!last || last.wide === 2) return cards;
  const spans = Object.entries(grids).map(([size, [columns, isSized]]) => {
    const occupied = isSized ? cells : cards.length;
    const span = occupied > columns ? 1 + ((columns - (occupied % columns)) % columns) : 1;
    return `--last-${size}:${span}`;
  });
  return [...cards.slice(0, -1), { ...last, last: spans.join(';') }];
}

/** Counts products: exactly, or with the stored count for visitors of a large shop. */
async function countOf(ctx: Ctx, storedCount: number | null, domain: ReturnType<typeof fitting>): Promise<number> {
  if (storedCount !== null && storedCount > MAX_COUNTED && !ctx.has('base.group_user')) return storedCount;
  return ctx.model(ShopTemplate).count(domain);
}

function crumbs(ctx: Ctx, nodes: Awaited<ReturnType<typeof readCategories>>, category: Id) {
  const way = crumbsTo(nodes, category);
  return [
    { name: t(ctx, 'Shop'), url: '/shop' },
    ...way.map((crumb, index) => (index === way.length - 1 ? { ...crumb, url: null } : crumb)),
  ];
}

function chosenOf(path: string, query: ProductQuery, facets: Awaited<ReturnType<typeof facetsOf>>) {
  const chips = facets.flatMap(({ id, values }) =>
    values
      .filter(({ chosen: isChosen }) => isChosen)
      .map(({ key, name }) => ({
        name,
        url: listUrl(path, query, { chosen: without(query, id, Number(key.split('-')[1])) }),
      })),
  );
  return chips.length > 0 ? chips : null;
}
