import { type Id, z } from 'pergola';

/** Number of products per page. */
export const PAGE_SIZE = 20;
/** Values of an attribute shown before a visitor expands it. */
export const FIRST_VALUES = 20;
/** Total number of values shown next to a list; further attributes show only their name, with a link that expands them. */
export const MAX_VALUES = 60;
/** Maximum number of products counted exactly; longer lists only offer this many in their pages. */
export const MAX_COUNTED = 2000;
/** Maximum number of search matches, best first. If more match, the newest ones are kept: this many can be ranked at once. */
export const MAX_SEARCHED = 400;
/** Maximum number of values chosen at once. */
const MAX_CHOSEN = 50;

/** Sort orders with their labels. */
export const orders = {
  featured: { label: 'Featured', sql: 'website_sequence desc, id desc' },
  newest: { label: 'Newest first', sql: 'id desc' },
  price_asc: { label: 'Price: low to high', sql: 'list_price, id' },
  price_desc: { label: 'Price: high to low', sql: 'list_price desc, id desc' },
  name: { label: 'Name', sql: 'name, id' },
} as const;
type SortOrder = keyof typeof orders;

/** Query parameters of a product list. Invalid values are ignored: a list never fails. */
export const shopQuery = z.object({
  search: z.string().max(100).catch('').default(''),
  attrib: z.array(z.string().max(40)).max(MAX_CHOSEN).catch([]).default([]),
  order: z.enum(['featured', 'newest', 'price_asc', 'price_desc', 'name']).catch('featured').default('featured'),
  page: z.number().int().min(1).max(1_000_000).catch(1).default(1),
  view: z.enum(['grid', 'list']).catch('grid').default('grid'),
  /** Attribute whose values are all shown. */
  all: z.number().int().min(0).catch(0).default(0),
});

/** A visitor's search, filters and view. */
export interface ProductQuery {
  readonly search: string;
  /** Chosen values by attribute. */
  readonly chosen: ReadonlyMap<Id, readonly Id[]>;
  readonly order: SortOrder;
  readonly page: number;
  readonly view: 'grid' | 'list';
  readonly all: Id;
}

/** Parses the query parameters; `attrib` is `<attribute>-<value>`. */
export function productQueryOf(query: z.infer<typeof shopQuery>): ProductQuery {
  const filters = new Map<Id, Id[]>();
  for (const text of query.attrib) {
    const match = /^(\d{1,9})-(\d{1,9})$/.exec(text);
    if (!match) continue;
    const [attribute, value] = [Number(match[1]), Number(match[2])];
    const values = filters.get(attribute) ?? [];
    if (!values.includes(value)) filters.set(attribute, [...values, value]);
  }
  const { order, page, view, all } = query;
  return { search: query.search.trim(), chosen: filters, order, page, view, all };
}

/** Returns the URL of the list with some changes; the page resets to 1 unless given. */
export function listUrl(
  path: string,
  query: ProductQuery,
  changes: Partial<ProductQuery> & { readonly page?: number } = {},
): string {
  const { search, chosen: filters, order, view, all, page } = { ...query, page: 1, all: 0, ...changes };
  const params = new URLSearchParams();
  if (search !== '') params.append('search', search);
  for (const [attribute, values] of filters)
    for (const value of values) params.append('attrib', `${attribute}-${value}`);
  if (order !== 'featured') params.append('order', order);
  if (view !== 'grid') params.append('view', view);
  if (all > 0) params.append('all', String(all));
  if (page > 1) params.append('page', String(page));
  return params.size === 0 ? path : `${path}?${params}`;
}

/** Returns the chosen values without one of them. */
export function without(query: ProductQuery, attribute: Id, value: Id): ProductQuery['chosen'] {
  const remaining = (query.chosen.get(attribute) ?? []).filter((valueId) => valueId !== value);
  const filters = new Map(query.chosen);
  if (remaining.length > 0) filters.set(attribute, remaining);
  else filters.delete(attribute);
  return filters;
}
