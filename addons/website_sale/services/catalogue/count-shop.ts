import { ProductAttributeLine } from '@pergola/sale';
import type { Ctx, Id, Ids, RawDomain } from 'pergola';
import { idsOf, PublicCategory } from '../../models/product-public-category.ts';
import { ShopTemplate } from '../../models/product-template.ts';
import { ShopFacet } from '../../models/website-sale-facet.ts';

/** Number of products read per batch, to keep reads short. */
const BATCH = 500;
/** Number of counts written per batch. */
const WRITE_BATCH = 200;

interface Tools {
  write<R>(work: (ctx: Ctx) => Promise<R>): Promise<R>;
  readonly signal: AbortSignal;
}

/** Counts of a category or of the whole shop: its products, and products by value of each attribute. */
interface Tally {
  products: number;
  readonly attributes: Map<Id, Map<Id, number>>;
}

/** Counts the published products of a site by category and attribute value, and stores the differences. */
export async function countShop(ctx: Ctx, website: Id, { write, signal }: Tools): Promise<void> {
  const paths = await categoryPaths(ctx);
  const tallies = new Map<Id | null, Tally>([[null, empty()]]);
  for (let last = 0; ; ) {
    if (signal.aborted) throw new Error('The node stops; the counting begins anew.');
    const rows = await ctx.model(ShopTemplate).find(published(ctx, website, last), {
      select: { public_categ_ids: true },
      order: 'id',
      limit: BATCH,
    });
    if (rows.length === 0) break;
    const values = await valuesOf(
      ctx,
      rows.map(({ id }) => id),
    );
    for (const { id, public_categ_ids } of rows) {
      const countedCategories = new Set<Id | null>([
        null,
        ...public_categ_ids.flatMap((categoryId) => paths.get(categoryId) ?? []),
      ]);
      for (const categoryId of countedCategories) add(tallies, categoryId, values.get(id) ?? []);
    }
    last = rows.at(-1)?.id ?? last;
    if (rows.length < BATCH) break;
  }
  await saveCounts(ctx, website, rowsOf(tallies), write);
}

function published(ctx: Ctx, website: Id, after: Id) {
  const domain: RawDomain = [
    ...ctx.model(ShopTemplate).shopDomain(),
    ['website_published', '=', true],
    '|',
    ['website_id', '=', null],
    ['website_id', '=', website],
    ['id', '>', after],
  ];
  return domain as Parameters<InstanceType<typeof ShopTemplate>['find']>[0];
}

const empty = (): Tally => ({ products: 0, attributes: new Map() });

/** Returns each category with itself and all its parents. */
async function categoryPaths(ctx: Ctx): Promise<Map<Id, Id[]>> {
  const rows = await ctx.model(PublicCategory).find([], { select: { path: true } });
  return new Map(rows.map(({ id, path }) => [id, idsOf(path)]));
}

interface ValueOf {
  readonly attribute: Id;
  readonly value: Id;
}

async function valuesOf(ctx: Ctx, products: Ids): Promise<Map<Id, ValueOf[]>> {
  const lines = await ctx.model(ProductAttributeLine).find([['product_tmpl_id', 'in', products]], {
    select: { product_tmpl_id: true, attribute_id: true, value_ids: true },
  });
  const byProduct = new Map<Id, ValueOf[]>();
  for (const { product_tmpl_id: product, attribute_id: attribute, value_ids } of lines) {
    const productValues = byProduct.get(product) ?? [];
    byProduct.set(product, productValues);
    productValues.push(...value_ids.map((value) => ({ attribute, value })));
  }
  return byProduct;
}

function add(tallies: Map<Id | null, Tally>, categoryId: Id | null, values: readonly ValueOf[]): void {
  const tally = tallies.get(categoryId) ?? empty();
  tallies.set(categoryId, tally);
  tally.products += 1;
  for (const { attribute, value } of values) {
    const counts = tally.attributes.get(attribute) ?? new Map<Id, number>();
    tally.attributes.set(attribute, counts);
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
}

interface Counted {
  readonly category_id: Id | null;
  readonly attribute_id: Id | null;
  readonly value_id: Id | null;
  readonly count: number;
  readonly rank: number;
  readonly values: number;
}

function rowsOf(tallies: ReadonlyMap<Id | null, Tally>): Counted[] {
  return [...tallies].flatMap(([category_id, { products, attributes }]) => [
    { category_id, attribute_id: null, value_id: null, count: products, rank: 0, values: 0 },
    ...[...attributes].flatMap(([attribute_id, counts]) =>
      [...counts]
        .sort(([a, countA], [b, countB]) => countB - countA || a - b)
        .map(([value_id, count], index) => ({
          category_id,
          attribute_id,
          value_id,
          count,
          rank: index + 1,
          values: counts.size,
        })),
    ),
  ]);
}

const keyOf = ({ category_id, value_id }: Pick<Counted, 'category_id' | 'value_id'>): string =>
  `${category_id ?? ''}:${value_id ?? ''}`;

/** Writes only the changes, in short transactions; unaffected pages stay cached. */
async function saveCounts(ctx: Ctx, website: Id, counts: readonly Counted[], write: Tools['write']): Promise<void> {
  const stored = await ctx.model(ShopFacet).find([['website_id', '=', website]], {
    select: { category_id: true, value_id: true, count: true, rank: true, values: true },
  });
  const before = new Map(stored.map((row) => [keyOf(row), row]));
  const fresh: Counted[] = [];
  const changed: { id: Id; row: Counted }[] = [];
  for (const row of counts) {
    const old = before.get(keyOf(row));
    before.delete(keyOf(row));
    if (!old) fresh.push(row);
    else if (old.count !== row.count || old.rank !== row.rank || old.values !== row.values)
      changed.push({ id: old.id, row });
  }
  for (const batch of chunks(fresh))
    await write(async (writing) => {
      await writing.model(ShopFacet).create(batch.map((row) => ({ ...row, website_id: website })));
    });
  for (const batch of chunks(changed))
    await write(async (writing) => {
      for (const { id, row } of batch)
        await writing.model(ShopFacet).write(id, { count: row.count, rank: row.rank, values: row.values });
    });
  for (const batch of chunks([...before.values()].map(({ id }) => id)))
    await write((writing) => writing.model(ShopFacet).unlink(batch));
}

function chunks<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / WRITE_BATCH) }, (_, index) =>
    all.slice(index * WRITE_BATCH, (index + 1) * WRITE_BATCH),
  );
}
