import type { Ctx, Id } from 'pergola';
import { ProductProduct, stockedVariants } from '../../models/product-product.ts';
import { ProductStock, stockRows } from '../../models/product-stock.ts';
import type { LimitedResource, Need } from './limited-resources.ts';

/** Variants in stock. A tracked variant without a stock row counts as out of stock. */
export const productResource: LimitedResource = {
  resource: 'product.product',
  async lock(ctx, ids) {
    return { model: ProductStock, ids: await stockRows.get(ctx, ids) };
  },
  async left(ctx, ids) {
    const stocked = await stockedVariants.get(ctx, ids);
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
  for (const [product, row] of rows) await stock.write(row.id, { quantity: row.quantity + (sums.get(product) ?? 0) });
}
