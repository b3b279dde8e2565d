import { type FieldsOf, f, type Id, type Ids, InvalidInput, model, type Values } from '#core';
import { namedAfter } from '../services/product/named-after.ts';
import { ProductTemplate } from './product-template.ts';

/** The values of one attribute that a product comes in. Its variants follow every change. */
export class ProductAttributeLine extends model(
  'product.attribute.line',
  {
    product_tmpl_id: f.many2one('product.template', { required: true, ondelete: 'cascade', index: true }),
    attribute_id: f.many2one('product.attribute', { required: true, ondelete: 'restrict', index: true }),
    value_ids: f.many2many('product.attribute.value', { label: 'Values', within: { attribute_id: 'attribute_id' } }),
    sequence: f.integer({ default: 10 }),
  },
  {
    order: 'sequence, id',
    label: 'Product attribute',
    unique: [
      {
        fields: ['product_tmpl_id', 'attribute_id'],
        message: 'The product has this attribute already.',
      },
    ],
  },
) {
  override async displayNames(ids: Ids): Promise<Map<Id, string>> {
    return namedAfter(this, ids, 'attribute_id');
  }

  override async validate(ids: Ids, changed: ReadonlySet<string>): Promise<void> {
    await super.validate(ids, changed);
    const lines = await this.read(ids, { select: { attribute_id: true, value_ids: { attribute_id: true } } });
    for (const { attribute_id, value_ids } of lines) {
      if (value_ids.length > 0 && value_ids.every((value) => value.attribute_id === attribute_id)) continue;
      const message =
        value_ids.length === 0 ? 'Choose at least one value.' : 'All values have to belong to the attribute.';
      throw new InvalidInput(message, { code: 'sale.bad_attribute_values', fields: { value_ids: message } });
    }
  }

  override async afterCreate(ids: Ids, values: readonly Values<FieldsOf<ProductAttributeLine>>[]): Promise<void> {
    await super.afterCreate(ids, values);
    await this.#renewVariants(await this.#templates(ids));
  }

  override async afterWrite(ids: Ids, values: Values<FieldsOf<ProductAttributeLine>>): Promise<void> {
    await super.afterWrite(ids, values);
    if ('value_ids' in values || 'attribute_id' in values) await this.#renewVariants(await this.#templates(ids));
  }

  override async unlink(ids: Id | Ids): Promise<void> {
    const list = typeof ids === 'number' ? [ids] : ids;
    const templates = await this.#templates(list);
    await super.unlink(list);
    await this.#renewVariants(templates);
  }

  async #templates(ids: Ids): Promise<Id[]> {
    const rows = await this.read(ids, { select: { product_tmpl_id: true } });
    return [...new Set(rows.map(({ product_tmpl_id }) => product_tmpl_id))];
  }

  async #renewVariants(templates: Ids): Promise<void> {
    if (templates.length > 0) await this.ctx.model(ProductTemplate).createVariants(templates);
  }
}

declare module '#core' {
  interface Models {
    'product.attribute.line': ProductAttributeLine;
  }
}
