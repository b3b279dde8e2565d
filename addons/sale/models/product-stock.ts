import { type Ctx, f, type Id, type Ids, kept, model } from 'pergola';
import { namedAfter } from '../services/names.ts';

/**
 * Stock of a variant, without sold pieces. A separate table, so that product pages stay cached while others buy; the stock they show is a
 * fragment.
 */
export class ProductStock extends model(
  'product.stock',
  {
    product_id: f.many2one('product.product', { required: true, ondelete: 'cascade', unique: true, label: 'Product' }),
    quantity: f.integer({ required: true, default: 0, label: 'In stock' }),
  },
  { order: 'product_id, id', label: 'Stock' },
) {
  override async displayNames(ids: Ids): Promise<Map<Id, string>> {
    return namedAfter(this, ids, 'product_id');
  }

  /** Returns the stock rows of variants, by variant. */
  async rowsOf(products: Ids): Promise<Map<Id, { id: Id; quantity: number }>> {
    const rows = await this.find([['product_id', 'in', products]], {
      select: { product_id: true, quantity: true },
      order: 'id',
    });
    return new Map(rows.map(({ product_id, ...row }) => [product_id, row]));
  }
}

/** Ids of the stock rows of variants. */
export const stockRows = kept('sale.stock_rows', (ctx: Ctx, products: Ids) =>
  ctx.model(ProductStock).search([['product_id', 'in', products]], { order: 'id' }),
);

declare module 'pergola' {
  interface Models {
    'product.stock': ProductStock;
  }
}
