import { type Ctx, type Id, type Ids, InvalidInput } from '#core';
import { ProductProduct } from '../../models/product-product.ts';
import { ProductStock } from '../../models/product-stock.ts';
import { ProductTemplate } from '../../models/product-template.ts';
import { SaleOrderLine } from '../../models/sale-order-line.ts';

/** A product with more variants than this is a mistake, or wants to be several products. */
export const MOST_VARIANTS = 1000;

interface Line {
  readonly values: Ids;
}
interface Variant {
  readonly id: Id;
  readonly active: boolean;
  readonly attribute_value_ids: Ids;
}

/**
 * Makes the variants that the attributes of products ask for, and lets those go that they no longer do.
 *
 * ```
 * lines {S,M} {red,blue} − exclusions ─▶ wanted combinations ─▶ keep or wake those that are there, make the rest, drop the others
 * ```
 *
 * @throws InvalidInput when there would be more than {@link MOST_VARIANTS}.
 */
export async function createVariantsOf(ctx: Ctx, templates: Ids): Promise<void> {
  if (templates.length === 0) return;
  const rows = await ctx.model(ProductTemplate).find(
    [
      ['id', 'in', templates],
      ['active', 'in', [true, false]],
    ],
    {
      select: {
        active: true,
        inventory: true,
        attribute_line_ids: { value_ids: true },
        exclusion_ids: { value_ids: true },
      },
    },
  );
  const variants = await ctx.model(ProductProduct).find(
    [
      ['product_tmpl_id', 'in', templates],
      ['active', 'in', [true, false]],
    ],
    { select: { active: true, attribute_value_ids: true, product_tmpl_id: true } },
  );
  const byTemplate = Map.groupBy(variants, ({ product_tmpl_id }) => product_tmpl_id);
  for (const row of rows.filter(({ active }) => active)) {
    const lines = row.attribute_line_ids.map(({ value_ids }) => ({ values: value_ids }));
    const exclusions = row.exclusion_ids.map(({ value_ids }) => value_ids);
    await renew(ctx, row, combinations(lines, exclusions), lines, byTemplate.get(row.id) ?? []);
  }
}

/** Every way to take one value of each line, without those that hold all values of an exclusion. */
export function combinations(lines: readonly Line[], exclusions: readonly Ids[]): Id[][] {
  const number = lines.reduce((product, { values }) => product * Math.max(1, values.length), 1);
  if (number > MOST_VARIANTS) {
    throw new InvalidInput('These attributes make {number} variants; a product has {most} at most.', {
      code: 'sale.too_many_variants',
      params: { number, most: MOST_VARIANTS },
    });
  }
  return lines
    .filter(({ values }) => values.length > 0)
    .reduce<Id[][]>((made, { values }) => made.flatMap((chosen) => values.map((value) => [...chosen, value])), [[]])
    .filter((chosen) => !exclusions.some((set) => set.length > 0 && set.every((value) => chosen.includes(value))));
}

/** The one text for a set of values; `-` for none. */
export function combinationKey(values: Ids): string {
  return [...values].sort((a, b) => a - b).join(',') || '-';
}

async function renew(
  ctx: Ctx,
  template: { readonly id: Id; readonly inventory: string },
  wanted: readonly Ids[],
  lines: readonly Line[],
  there: readonly Variant[],
): Promise<void> {
  const products = ctx.model(ProductProduct);
  const left = new Set(there);
  const missing: Ids[] = [];
  for (const values of wanted) {
    const match = bestMatch(values, lines, left);
    if (!match) {
      missing.push(values);
      continue;
    }
    left.delete(match);
    const same = combinationKey(match.attribute_value_ids) === combinationKey(values);
    if (!same || !match.active) {
      await products.write(match.id, {
        active: true,
        attribute_value_ids: [{ set: values }],
        combination: combinationKey(values),
      });
    }
  }
  await dropVariants(ctx, [...left]);
  const made = await products.create(
    missing.map((values) => ({
      product_tmpl_id: template.id,
      attribute_value_ids: values,
      combination: combinationKey(values),
    })),
  );
  if (template.inventory === 'kept' && made.length > 0) {
    await ctx.model(ProductStock).create(made.map((product_id) => ({ product_id })));
  }
}

/** The variant that has the combination; else one that differs only by attributes with one value, which says nothing new about it. */
function bestMatch(values: Ids, lines: readonly Line[], left: ReadonlySet<Variant>): Variant | undefined {
  const key = combinationKey(values);
  const candidates = [...left];
  const exact = candidates.find(({ attribute_value_ids }) => combinationKey(attribute_value_ids) === key);
  if (exact) return exact;
  const single = new Set(lines.filter((line) => line.values.length === 1).flatMap((line) => line.values));
  const telling = combinationKey(values.filter((value) => !single.has(value)));
  return candidates.find(
    ({ attribute_value_ids }) =>
      attribute_value_ids.every((value) => values.includes(value)) &&
      combinationKey(attribute_value_ids.filter((value) => !single.has(value))) === telling,
  );
}

/** Deletes variants, or archives those that orders name: what was sold stays readable. */
async function dropVariants(ctx: Ctx, variants: readonly Variant[]): Promise<void> {
  if (variants.length === 0) return;
  const ids = variants.map(({ id }) => id);
  const lines = await ctx
    .sudo() // Orders count also where the caller may not read them.
    .model(SaleOrderLine)
    .find([['product_id', 'in', ids]], { select: { product_id: true } });
  const named = new Set(lines.map(({ product_id }) => product_id));
  const products = ctx.model(ProductProduct);
  const archived = variants.filter(({ id, active }) => named.has(id) && active).map(({ id }) => id);
  if (archived.length > 0) await products.write(archived, { active: false });
  const gone = ids.filter((id) => !named.has(id));
  if (gone.length > 0) await products.unlink(gone);
}
