import type { Ctx, Id } from '#core';
import { ShopTemplate } from '../../models/product-template.ts';
import { cardSelect, cardsOf } from './cards.ts';
import { fitting, withCode, withFewValues } from './domain.ts';
import { countedBefore, facetsOf } from './facets.ts';
import { pagerOf } from './pager.ts';
import { listUrl, MOST_COUNTED, MOST_SEARCHED, orders, PAGE_SIZE, type Question, without } from './question.ts';
import { crumbsTo, readCategories, treeOf, withBelow } from './tree.ts';

/** Where a list stands, and what is asked of it. */
export interface ListAbout {
  readonly question: Question;
  /** The category's id; null for the whole shop. */
  readonly category: Id | null;
  /** Path without language. */
  readonly path: string;
}

/** The values of a list of products: cards, facets, tree, ways to sort, pages. A fixed number of queries, whatever the size of the shop. */
export async function listPage(ctx: Ctx, { question, category, path }: ListAbout): Promise<object> {
  const nodes = await readCategories(ctx);
  const categories = category === null ? null : withBelow(nodes, category);
  const [few, codes] = [await withFewValues(ctx, question), await withCode(ctx, question)];
  const domain = fitting(ctx, question, categories, { few, codes });
  const plain = question.search === '' && question.chosen.size === 0;
  const isSearch = question.search !== '';
  const templates = ctx.model(ShopTemplate);
  // Of what is searched or chosen the ids are read once, for the number, the page and the facets; never more than can be looked through.
  const found = plain
    ? null
    : await templates.search(domain, {
        order: sortOf(question, few.size > 0),
        limit: isSearch ? MOST_SEARCHED : MOST_COUNTED + 1,
      });
  const before = await countedBefore(ctx, category, question.all);
  const total = found ? Math.min(found.length, MOST_COUNTED) : await countOf(ctx, before.products, domain);
  const pages = Math.max(1, Math.ceil(total / PAGE_SIZE));
  const page = Math.min(question.page, pages);
  const offset = (page - 1) * PAGE_SIZE;
  const rows = found
    ? await templates.read(found.slice(offset, offset + PAGE_SIZE), { select: cardSelect })
    : await templates.find(domain, { select: cardSelect, order: sortOf(question), limit: PAGE_SIZE, offset });
  const facets = await facetsOf(ctx, { path, question, found, before });
  return {
    cards: await cardsOf(ctx, rows),
    facets: facets.length > 0 ? facets : null,
    categories: nodes.size > 0 ? treeOf(nodes, category) : null,
    crumbs: category === null ? null : crumbs(ctx, nodes, category),
    action: path,
    search: question.search,
    list: question.view === 'list',
    count: countText(ctx, total, { isSearch, isMore: found !== null && found.length > MOST_COUNTED }),
    pager: pagerOf(page, pages, (num) => listUrl(path, question, { page: num })),
    orders: Object.entries(orders).map(([value, { label }]) => ({
      value,
      label: ctx.t(label),
      chosen: value === question.order,
    })),
    chosen: chosenOf(path, question, facets),
    clearUrl: listUrl(path, question, { chosen: new Map() }),
    gridUrl: listUrl(path, question, { view: 'grid', page }),
    listUrl: listUrl(path, question, { view: 'list', page }),
    here: listUrl(path, question, { page }),
  };
}

/**
 * What the search finds best comes first unless another order is asked for. Of few products, a list that begins with what all have alike cannot be read off
 * an index of the whole shop, which SQLite would prefer to looking at those few.
 */
function sortOf({ search, order }: Question, few = false): string | undefined {
  if (search !== '' && order === 'featured') return undefined;
  return few ? `sale_ok, ${orders[order].sql}` : orders[order].sql;
}

function countText(ctx: Ctx, total: number, about: { readonly isSearch: boolean; readonly isMore: boolean }): string {
  if (about.isSearch && total === MOST_SEARCHED) return ctx.t('{n} products and more', { n: total });
  return about.isMore
    ? ctx.t('More than {n} products', { n: total })
    : ctx.plural('{n} product', '{n} products', total);
}

/** How many products there are: for visitors of a large shop as counted beforehand, else exactly. */
async function countOf(ctx: Ctx, counted: number | null, domain: ReturnType<typeof fitting>): Promise<number> {
  if (counted !== null && counted > MOST_COUNTED && !ctx.has('base.group_user')) return counted;
  return ctx.model(ShopTemplate).count(domain);
}

function crumbs(ctx: Ctx, nodes: Awaited<ReturnType<typeof readCategories>>, category: Id) {
  const way = crumbsTo(nodes, category);
  return [
    { name: ctx.t('Shop'), url: '/shop' },
    ...way.map((crumb, place) => (place === way.length - 1 ? { ...crumb, url: null } : crumb)),
  ];
}

function chosenOf(path: string, question: Question, facets: Awaited<ReturnType<typeof facetsOf>>) {
  const chips = facets.flatMap(({ id, values }) =>
    values
      .filter(({ chosen }) => chosen)
      .map(({ key, name }) => ({
        name,
        url: listUrl(path, question, { chosen: without(question, id, Number(key.split('-')[1])) }),
      })),
  );
  return chips.length > 0 ? chips : null;
}
