import { ProductProduct } from '@pergola/sale';
import { type Ctx, type FieldsOf, f, type Id, type Ids, InvalidInput, model, type Values } from 'pergola';

/** Additional picture of a product: for the whole product, for one attribute value, or for a single variant. */
export class ProductImage extends model(
  'product.image',
  {
    name: f.char({
      required: true,
      translate: true,
      label: 'Alternative text',
      help: 'Describes the image for screen readers',
    }),
    image: f.image({ required: true, label: 'Image' }),
    product_tmpl_id: f.many2one('product.template', {
      required: true,
      ondelete: 'cascade',
      index: true,
      label: 'Product',
    }),
    value_id: f.many2one('product.attribute.value', {
      empty: 'all',
      ondelete: 'cascade',
      label: 'Attribute value',
      help: 'Shown when this value is selected. Leave empty to show it with the product’s other images.',
    }),
    product_id: f.many2one('product.product', {
      empty: 'all',
      ondelete: 'cascade',
      index: true,
      label: 'Variant',
      help: 'Shown only when this variant is selected',
    }),
    sequence: f.integer({ default: 10 }),
  },
  { order: 'sequence, id', label: 'Product image' },
) {
  /** Assigns pictures added to a variant to its product, too. */
  override async beforeCreate(
    values: readonly Values<FieldsOf<ProductImage>>[],
  ): Promise<readonly Values<FieldsOf<ProductImage>>[]> {
    const products = await productsOf(
      this.ctx,
      values.flatMap(({ product_id }) => (typeof product_id === 'number' ? [product_id] : [])),
    );
    const complete = values.map((row) =>
      typeof row.product_id === 'number' && row.product_tmpl_id === undefined
        ? { ...row, product_tmpl_id: products.get(row.product_id) }
        : row,
    );
    return super.beforeCreate(complete as readonly Values<FieldsOf<ProductImage>>[]);
  }

  override async validate(ids: Ids, changed: ReadonlySet<string>): Promise<void> {
    await super.validate(ids, changed);
    if (!changed.has('product_id') && !changed.has('product_tmpl_id')) return;
    const rows = await this.read(ids, { select: { product_tmpl_id: true, product_id: true } });
    const products = await productsOf(
      this.ctx,
      rows.flatMap(({ product_id }) => product_id ?? []),
    );
    for (const { product_tmpl_id, product_id } of rows) {
      if (product_id === null || products.get(product_id) === product_tmpl_id) continue;
      const message = 'Choose a variant of this product.';
      throw new InvalidInput(message, { code: 'website_sale.foreign_variant', fields: { product_id: message } });
    }
  }
}

/** Returns the products of variants. */
async function productsOf(ctx: Ctx, variants: Ids): Promise<ReadonlyMap<Id, Id>> {
  if (variants.length === 0) return new Map();
  const rows = await ctx.model(ProductProduct).read(variants, { select: { product_tmpl_id: true } });
  return new Map(rows.map(({ id, product_tmpl_id }) => [id, product_tmpl_id]));
}

declare module 'pergola' {
  interface Models {
    'product.image': ProductImage;
  }
}
