import { type FieldsOf, f, type Id, type Ids, InvalidInput, model, type Values } from '#core';
import { namedAfter } from '../services/product/named-after.ts';
import { ProductTemplate } from './product-template.ts';

/** Values that do not go together on a product: no variant has all of them. */
export class ProductAttributeExclusion extends model(
  'product.attribute.exclusion',
  {
    product_tmpl_id: f.many2one('product.template', { required: true, ondelete: 'cascade', index: true }),
    value_ids: f.many2many('product.attribute.value', {
      label: 'Values',
      help: 'A variant that has all of these is not offered',
    }),
  },
  { order: 'id', label: 'Invalid combination' },
) {
  override async displayNames(ids: Ids): Promise<Map<Id, string>> {
    return namedAfter(this, ids, 'product_tmpl_id');
  }

  override async validate(ids: Ids, changed: ReadonlySet<string>): Promise<void> {
    await super.validate(ids, changed);
    for (const { value_ids } of await this.read(ids, { select: { value_ids: { attribute_id: true } } })) {
      const attributes = new Set(value_ids.map(({ attribute_id }) => attribute_id));
      if (attributes.size === value_ids.length && value_ids.length >= 2) continue;
      const message = 'An invalid combination is made of values of two or more attributes.';
      throw new InvalidInput(message, { code: 'sale.bad_exclusion', fields: { value_ids: message } });
    }
  }

  override async afterCreate(ids: Ids, values: readonly Values<FieldsOf<ProductAttributeExclusion>>[]): Promise<void> {
    await super.afterCreate(ids, values);
    await this.#renewVariants(await this.#templates(ids));
  }

  override async afterWrite(ids: Ids, values: Values<FieldsOf<ProductAttributeExclusion>>): Promise<void> {
    await super.afterWrite(ids, values);
    await this.#renewVariants(await this.#templates(ids));
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
    'product.attribute.exclusion': ProductAttributeExclusion;
  }
}
