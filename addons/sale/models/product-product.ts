import {
  type Ctx,
  type Decimal,
  decimal,
  type FieldsOf,
  f,
  type Id,
  type Ids,
  kept,
  model,
  type Values,
} from 'pergola';
import { reviewOpenOrders } from '../jobs/review-orders.ts';
import { namesInOrder, valueNames } from '../services/names.ts';
import { ProductAttributePrice } from './product-attribute-price.ts';
import { ProductStock } from './product-stock.ts';

/** A variant of a product, as used in carts and orders. */
export class ProductProduct extends model(
  'product.product',
  {
    product_tmpl_id: f.many2one('product.template', {
      required: true,
      ondelete: 'cascade',
      index: true,
      label: 'Product',
    }),
    name: f.char({ related: 'product_tmpl_id.name', label: 'Name' }),
    attribute_value_ids: f.many2many('product.attribute.value', {
      empty: 'none',
      ondelete: 'cascade',
      label: 'Attribute values',
    }),
    /** Sorted ids of the variant's values, `3,17`, or `-`: unique per product. */
    combination: f.char({ required: true, default: '-', readonly: true, copy: false, size: 1000 }),
    default_code: f.char({ size: 64, index: true, label: 'Reference' }),
    ean13: f.char({ size: 13, label: 'Barcode' }),
    active: f.boolean({ default: true, index: true }),
    image_variant: f.image({ label: 'Variant image' }),
    sale_ok: f.boolean({ related: 'product_tmpl_id.sale_ok', label: 'Can be sold' }),
    type: f.selection({ consu: 'Goods', service: 'Service' }, { related: 'product_tmpl_id.type', label: 'Type' }),
    currency_id: f.many2one('res.currency', { related: 'product_tmpl_id.currency_id' }),
    list_price: f.decimal({ related: 'product_tmpl_id.list_price', label: 'Price' }),
    price_extra: f.decimal({
      compute: 'computePrices',
      depends: ['attribute_value_ids', 'product_tmpl_id.attribute_price_ids.price_extra'],
      label: 'Extra price',
    }),
    lst_price: f.decimal({
      compute: 'computePrices',
      depends: ['product_tmpl_id.list_price', 'attribute_value_ids', 'product_tmpl_id.attribute_price_ids.price_extra'],
      label: 'Sale price',
    }),
    qty_available: f.integer({
      compute: 'computeStock',
      inverse: 'storeStock',
      depends: [],
      label: 'In stock',
      help: 'Leave empty to not track stock',
    }),
  },
  {
    order: 'default_code, id',
    label: 'Variant',
    unique: [{ fields: ['product_tmpl_id', 'combination'], message: 'This product already has this combination.' }],
    search: ['default_code', 'ean13'],
  },
) {
  override async displayNames(ids: Ids): Promise<Map<Id, string>> {
    const rows = await this.read(ids, {
      select: { name: true, default_code: true, attribute_value_ids: valueNames },
    });
    return new Map(
      rows.map(({ id, name, default_code, attribute_value_ids }) => [
        id,
        variantName(name ?? '', namesInOrder(attribute_value_ids), default_code),
      ]),
    );
  }

  override async afterWrite(ids: Ids, values: Values<FieldsOf<ProductProduct>>): Promise<void> {
    await super.afterWrite(ids, values);
    if ('active' in values) await reviewOpenOrders(this.ctx, [['order_line.product_id', 'in', ids]]);
  }

  async computePrices(ids: Ids): Promise<Map<Id, { price_extra: Decimal; lst_price: Decimal }>> {
    const rows = await this.read(ids, {
      select: { list_price: true, product_tmpl_id: true, attribute_value_ids: true },
    });
    const extras = await this.ctx
      .model(ProductAttributePrice)
      .extras(rows.map(({ product_tmpl_id }) => product_tmpl_id));
    return new Map(
      rows.map(({ id, list_price, product_tmpl_id, attribute_value_ids }) => {
        const extra = attribute_value_ids.reduce(
          (sum, value) => sum.plus(extras.get(`${product_tmpl_id}:${value}`) ?? '0'),
          decimal('0'),
        );
        return [id, { price_extra: extra.toString(), lst_price: extra.plus(list_price ?? '0').toString() }];
      }),
    );
  }

  async computeStock(ids: Ids): Promise<Map<Id, number>> {
    const rows = await this.ctx.sudo().model(ProductStock).rowsOf(ids); // Users who may see the variant may see its stock.
    return new Map([...rows].map(([id, { quantity }]) => [id, quantity]));
  }

  /** Sets the stock of variants and starts tracking it. An empty or unchanged quantity has no effect. */
  async storeStock(ids: Ids, quantity: number | null): Promise<void> {
    if (quantity === null) return;
    const stock = await this.computeStock(ids);
    const changed = ids.filter((id) => stock.get(id) !== quantity);
    const untracked = await this.find(
      [
        ['id', 'in', changed],
        ['product_tmpl_id.inventory', '!=', 'kept'],
        ['active', 'in', [true, false]],
      ],
      { select: { product_tmpl_id: true } },
    );
    const products = [...new Set(untracked.map(({ product_tmpl_id }) => product_tmpl_id))];
    if (products.length > 0) await this.ctx.modelNamed('product.template').write(products, { inventory: 'kept' });
    for (const id of changed) await this.setStock(id, quantity);
  }

  /** Sets the stock of a variant. */
  async setStock(id: Id, quantity: number): Promise<void> {
    const stock = this.ctx.model(ProductStock);
    const row = (await stock.rowsOf([id])).get(id);
    if (!row) {
      await stock.create({ product_id: id, quantity });
      return;
    }
    await this.ctx.lock(ProductStock, [row.id]);
    await stock.write(row.id, { quantity });
  }

  /** Returns the variants that may be put in a cart at all, regardless of stock. Extensions exclude unpublished ones. */
  async buyable(ids: Ids): Promise<ReadonlySet<Id>> {
    return buyableVariants.get(this.ctx, ids);
  }
}

/** `[code] name (value, value)` */
export function variantName(name: string, values: readonly string[], code: string | null): string {
  const full = values.length > 0 ? `${name} (${values.join(', ')})` : name;
  return code ? `[${code}] ${full}` : full;
}

/** Variants that can be sold. */
export const buyableVariants = kept('sale.buyable', async (ctx: Ctx, ids: Ids): Promise<ReadonlySet<Id>> => {
  const rows = await ctx.model(ProductProduct).find(
    [
      ['id', 'in', ids],
      ['sale_ok', '=', true],
      ['product_tmpl_id.active', '=', true],
    ],
    { select: {} },
  );
  return new Set(rows.map(({ id }) => id));
});

/** Variants with tracked stock. */
export const stockedVariants = kept('sale.stocked', async (ctx: Ctx, ids: Ids): Promise<ReadonlySet<Id>> => {
  const rows = await ctx.model(ProductProduct).find(
    [
      ['id', 'in', ids],
      ['product_tmpl_id.inventory', '=', 'kept'],
      ['active', 'in', [true, false]],
    ],
    { select: {} },
  );
  return new Set(rows.map(({ id }) => id));
});

declare module 'pergola' {
  interface Models {
    'product.product': ProductProduct;
  }
}
