import { type Ctx, decimal, type Id, type Ids } from '#core';
import { ProductProduct } from '../../models/product-product.ts';
import { ProductStock } from '../../models/product-stock.ts';
import { SaleOrderLine } from '../../models/sale-order-line.ts';
import { keyOf, readStocked, remembered, stockedMemory } from '../memories.ts';
import type { LimitedResource, Need } from './resource.ts';

const resource = 'product.product';

/** What lines need of the stock: whole pieces of those products whose stock counts. */
export async function productNeeds(ctx: Ctx, lines: Ids): Promise<Need[]> {
  const rows = await ctx.model(SaleOrderLine).read(lines, { select: { product_uom_qty: true, product_id: true } });
  const products = rows.flatMap(({ product_id }) => product_id ?? []);
  const stocked = await remembered(ctx, stockedMemory, readStocked, keyOf(products));
  return rows.flatMap(({ id, product_uom_qty, product_id }) =>
    product_id !== null && stocked.has(product_id)
      ? [{ line: id, resource, id: product_id, quantity: Math.ceil(decimal(product_uom_qty).toNumber()) }]
      : [],
  );
}

/** What so many pieces of a product will need of the stock. */
export async function productWants(ctx: Ctx, product: Id, quantity: number, line: Id | null): Promise<Need[]> {
  const stocked = await remembered(ctx, stockedMemory, readStocked, String(product));
  return stocked.has(product) ? [{ line: line ?? 0, resource, id: product, quantity }] : [];
}

/** Variants in stock. A variant whose stock counts and of which nobody has said how many there are has none. */
export const productResource: LimitedResource = {
  resource,
  async lock(ctx, ids) {
    const stock = ctx.model(ProductStock);
    const rows = await stock.rowsOf(ids);
    const missing = ids.filter((id) => !rows.has(id));
    const made = missing.length > 0 ? await stock.create(missing.map((product_id) => ({ product_id }))) : [];
    return { model: ProductStock, ids: [...[...rows.values()].map((row) => row.id), ...made] };
  },
  async left(ctx, ids) {
    const stocked = await remembered(ctx, stockedMemory, readStocked, keyOf(ids));
    const stock = await ctx.model(ProductStock).rowsOf([...stocked]);
    return new Map([...stocked].map((id) => [id, stock.get(id)?.quantity ?? 0]));
  },
  names(ctx, ids) {
    return ctx.model(ProductProduct).displayNames(ids);
  },
  take: (ctx, needs) => move(ctx, needs, -1),
  giveBack: (ctx, needs) => move(ctx, needs, 1),
};

async function move(ctx: Ctx, needs: readonly Need[], sign: 1 | -1): Promise<void> {
  const stock = ctx.model(ProductStock);
  const sums = new Map<Id, number>();
  for (const { id, quantity } of needs) sums.set(id, (sums.get(id) ?? 0) + sign * quantity);
  const rows = await stock.rowsOf([...sums.keys()]);
  await ctx.lock(
    ProductStock,
    [...rows.values()].map(({ id }) => id),
  );
  // Read again under the lock: on one node another write may lie between.
  for (const [product, row] of await stock.rowsOf([...sums.keys()])) {
    await stock.write(row.id, { quantity: row.quantity + (sums.get(product) ?? 0) });
  }
}
