import { f, type Id, type Ids, model } from 'pergola';
import { namedAfter } from '../services/names.ts';

/** Replaces one product tax: several lines map it to several taxes, a line without a tax removes it. */
export class FiscalPositionTax extends model(
  'account.fiscal.position.tax',
  {
    position_id: f.many2one('account.fiscal.position', { required: true, ondelete: 'cascade', index: true }),
    tax_src_id: f.many2one('account.tax', { required: true, ondelete: 'cascade', label: 'Product tax' }),
    tax_dest_id: f.many2one('account.tax', {
      ondelete: 'cascade',
      label: 'Tax to apply',
      help: 'Leave empty for no tax',
    }),
  },
  {
    order: 'id',
    label: 'Tax mapping',
    unique: [
      {
        fields: ['position_id', 'tax_src_id', 'tax_dest_id'],
        message: 'This fiscal position already has this mapping.',
      },
    ],
  },
) {
  override async displayNames(ids: Ids): Promise<Map<Id, string>> {
    return namedAfter(this, ids, 'tax_src_id');
  }
}

declare module 'pergola' {
  interface Models {
    'account.fiscal.position.tax': FiscalPositionTax;
  }
}
