import { f, type Id, type Ids, InvalidInput, model } from 'pergola';
import { namedAfter } from '../services/names.ts';
import { RenewsVariants } from './renews-variants.ts';

/** Values of an attribute that a product is available in. The variants follow every change. */
export class ProductAttributeLine extends model(
  'product.attribute.line',
  {
    attribute_id: f.many2one('product.attribute', { required: true, ondelete: 'restrict', index: true }),
    value_ids: f.many2many('product.attribute.value', {
      empty: 'none',
      label: 'Values',
      within: { attribute_id: 'attribute_id' },
    }),
    sequence: f.integer({ default: 10 }),
  },
  {
    order: 'sequence, id',
    label: 'Product attribute',
    mixins: [RenewsVariants],
    unique: [
      {
        fields: ['product_tmpl_id', 'attribute_id'],
        message: 'This product already has this attribute.',
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
      const message = value_ids.length === 0 ? 'Choose at least one value.' : 'Choose only values of this attribute.';
      throw new InvalidInput(message, { code: 'sale.bad_attribute_values', fields: { value_ids: message } });
    }
  }
}

declare module 'pergola' {
  interface Models {
    'product.attribute.line': ProductAttributeLine;
  }
}
