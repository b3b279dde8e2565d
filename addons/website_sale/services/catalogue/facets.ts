import { ProductAttribute, ProductAttributeLine, ProductAttributeValue } from '@pergola/sale';
import { type Ctx, type Id, liveValues } from 'pergola';
import { ShopFacet } from '../../models/website-sale-facet.ts';
import { FIRST_VALUES, listUrl, MAX_VALUES, type ProductQuery } from './product-query.ts';

/** A selectable value, as shown on the page. */
interface FacetValue {
  /** `<attribute>-<value>` */
  readonly key: string;
  readonly name: string;
  readonly color: string | null;
  readonly chosen: boolean;
  readonly count: number;
  readonly counted: boolean;
}
export interface Facet {
  readonly id: Id;
  readonly name: string;
  readonly values: readonly FacetValue[];
  /** Number of hidden values. */
  readonly more: number;
  /** URL that shows all values. */
  readonly all: string;
}

/** Number of products by value. */
interface Counted {
  readonly value: Id;
  readonly attribute: Id;
  readonly count: number;
  /** Total number of values of the attribute. */
  readonly values: number;
}

/** Maximum number of products whose values are counted exactly; above it, values are listed without counts. */
const MAX_EXACT = 400;

/**
 * Returns the attribute values visitors can filter by. The whole shop and categories use stored counts; a search or filter counts matching
 * products, as long as they are few. Each attribute lists its {@link FIRST_VALUES} most frequent values first, unless all of them are
 * requested.
 */
export async function facetsOf(
  ctx: Ctx,
  list: { path: string; query: ProductQuery; found: readonly Id[] | null; before: CountedBefore },
): Promise<Facet[]> {
  const { path, query, found: matches, before: stored } = list;
  const isExact = matches !== null && matches.length <= MAX_EXACT;
  const counts = isExact ? await countLive(ctx, matches) : stored.values;
  const attributes = await namesOf(ctx, counts, query);
  const byAttribute = Map.groupBy(counts, ({ attribute }) => attribute);
  let room = MAX_VALUES;
  return attributes.map(({ id, name, values }): Facet => {
    const rows = byAttribute.get(id) ?? [];
    const count = new Map(rows.map((row) => [row.value, row.count]));
    const chosenIds = query.chosen.get(id) ?? [];
    const total = Math.max(rows[0]?.values ?? 0, values.length);
    const first = mostFrequent(values, count, chosenIds);
    const fits = room > 0 || chosenIds.length > 0;
    const shownValues = query.all === id ? values : fits ? first : [];
    room -= shownValues.length;
    return {
      id,
      name,
      values: shownValues.map((value) => ({
        key: `${id}-${value.id}`,
        name: value.name,
        color: value.color,
        chosen: chosenIds.includes(value.id),
        count: count.get(value.id) ?? 0,
        // Shows no counts if there are too many matches to count.
        counted: matches === null || isExact,
      })),
      more: Math.max(0, total - shownValues.length),
      all: listUrl(path, query, { all: id }),
    };
  });
}

type Named = { readonly id: Id; readonly name: string; readonly color: string | null };

/** Returns the values with the most products, in the attribute's order. Chosen values are always included. */
function mostFrequent(values: readonly Named[], count: ReadonlyMap<Id, number>, chosenIds: readonly Id[]): Named[] {
  if (values.length <= FIRST_VALUES) return [...values];
  const first = new Set(
    values
      .toSorted((a, b) => (count.get(b.id) ?? 0) - (count.get(a.id) ?? 0))
      .slice(0, FIRST_VALUES)
      .map(({ id }) => id),
  );
  return values.filter(({ id }) => first.has(id) || chosenIds.includes(id));
}

/** Stored counts: published products (null if never counted), and products by value. */
export interface CountedBefore {
  readonly products: number | null;
  readonly values: readonly Counted[];
}

/** Reads the stored counts of a category or of the whole shop, with all values of the attribute `all`. One query. */
export async function countedBefore(ctx: Ctx, category: Id | null, all: Id): Promise<CountedBefore> {
  const website = ctx.attributes.website?.id ?? 0;
  // The number of published products is public.
  return ctx.get(liveCounts).get(ctx.sudo(), `${website}:${category ?? ''}:${all}`);
}

/** Key: `website:category:attribute`. */
async function readCounts(ctx: Ctx, key: string): Promise<CountedBefore> {
  const [website, category, all] = key.split(':').map(Number);
  const rows = await ctx
    .model(ShopFacet)
    .find(
      [
        ['website_id', '=', website ?? 0],
        ['category_id', '=', category || null],
        ...(all
          ? (['|', ['rank', '<=', FIRST_VALUES], ['attribute_id', '=', all]] as const)
          : ([['rank', '<=', FIRST_VALUES]] as const)),
      ],
      { select: { attribute_id: true, value_id: true, count: true, values: true } },
    );
  return {
    products: rows.find(({ value_id }) => value_id === null)?.count ?? null,
    values: rows.flatMap(({ attribute_id: attribute, value_id: value, count, values }) =>
      attribute !== null && value !== null ? [{ attribute, value, count, values }] : [],
    ),
  };
}

export const liveCounts = liveValues('website_sale.counts', { read: readCounts });

async function countLive(ctx: Ctx, products: readonly Id[]): Promise<Counted[]> {
  const lines = await ctx
    .sudo() // These are products the caller can see.
    .model(ProductAttributeLine)
    .find([['product_tmpl_id', 'in', products]], { select: { attribute_id: true, value_ids: true } });
  const counts = new Map<Id, Map<Id, number>>();
  for (const { attribute_id, value_ids } of lines) {
    const values = counts.get(attribute_id) ?? new Map<Id, number>();
    counts.set(attribute_id, values);
    for (const value of value_ids) values.set(value, (values.get(value) ?? 0) + 1);
  }
  return [...counts].flatMap(([attribute, values]) =>
    [...values].map(([value, count]) => ({ attribute, value, count, values: values.size })),
  );
}

/**
 * Returns attributes in their order, with the names of the requested values. Leaves out hidden attributes and attributes with a single
 * value.
 */
async function namesOf(ctx: Ctx, counts: readonly Counted[], query: ProductQuery): Promise<readonly NamedAttribute[]> {
  const attributes = new Set([...counts.map(({ attribute }) => attribute), ...query.chosen.keys()]);
  const valueIds = new Set([...counts.map(({ value }) => value), ...[...query.chosen.values()].flat()]);
  if (attributes.size === 0) return [];
  // Attribute names are public.
  const key = `${ctx.lang}:${[...attributes].join()}:${[...valueIds].join()}`;
  const namedAttributes = await ctx.get(liveNames).get(ctx.sudo(), key);
  return namedAttributes.filter(
    ({ id, values: attributeValues }) =>
      attributeValues.length > 1 || (attributeValues.length === 1 && query.chosen.has(id)),
  );
}

interface NamedAttribute {
  readonly id: Id;
  readonly name: string;
  readonly values: readonly Named[];
}

/** Key: `language:attributes:values`. */
async function readNames(system: Ctx, key: string): Promise<readonly NamedAttribute[]> {
  const [lang = system.lang, attributes = '', valueIds = ''] = key.split(':');
  const ctx = system.as({ lang });
  const idsOf = (text: string): Id[] => (text === '' ? [] : text.split(',').map(Number));
  const rows = await ctx.model(ProductAttribute).find(
    [
      ['id', 'in', idsOf(attributes)],
      ['type', '!=', 'hidden'],
    ],
    { select: { name: true, type: true } },
  );
  const values = await ctx.model(ProductAttributeValue).find([['id', 'in', idsOf(valueIds)]], {
    select: { name: true, color: true, attribute_id: true },
    order: 'sequence, id',
  });
  const byAttribute = Map.groupBy(values, ({ attribute_id }) => attribute_id);
  return rows.map(({ id, name, type }) => ({
    id,
    name,
    values: (byAttribute.get(id) ?? []).map((value) => ({
      id: value.id,
      name: value.name,
      color: type === 'color' ? value.color : null,
    })),
  }));
}

export const liveNames = liveValues('website_sale.attribute_names', { read: readNames, most: 300 });
