import { f, type Id, type Ids, InvalidInput, model } from 'pergola';
import { namedAfter } from '../services/names.ts';
import { RenewsVariants } from './renews-variants.ts';

/** Values that can't be combined on a product: no variant has all of them. */
export class ProductAttributeExclusion extends model(
  'product.attribute.exclusion',
  {
    value_ids: f.many2many('product.attribute.value', {
      empty: 'all',
      ondelete: 'cascade',
      label: 'Values',
      help: 'Variants with all of these values aren’t sold',
    }),
  },
  { order: 'id', label: 'Invalid combination', mixins: [RenewsVariants] },
) {
  override async displayNames(ids: Ids): Promise<Map<Id, string>> {
    return namedAfter(this, ids, 'product_tmpl_id');
  }

  override async validate(ids: Ids, changed: ReadonlySet<string>): Promise<void> {
    await super.validate(ids, changed);
    for (const { value_ids } of await this.read(ids, { select: { value_ids: { attribute_id: true } } })) {
      const attributes = new Set(value_ids.map(({ attribute_id }) => attribute_id));
      if (attributes.size === value_ids.length && value_ids.length >= 2) continue;
      const message = 'Choose values of at least two attributes.';
      throw new InvalidInput(message, { code: 'sale.bad_exclusion', fields: { value_ids: message } });
    }
  }
}

declare module 'pergola' {
  interface Models {
    'product.attribute.exclusion': ProductAttributeExclusion;
  }
}
