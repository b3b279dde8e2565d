import { f, model } from '#core';

/** Which taxes customers of some place pay instead of those of the product. */
export class FiscalPosition extends model(
  'account.fiscal.position',
  {
    name: f.char({ required: true, translate: true, label: 'Fiscal position' }),
    sequence: f.integer({ default: 10 }),
    auto_apply: f.boolean({ label: 'Found by address', help: 'Chosen by the country of delivery' }),
    vat_required: f.boolean({ label: 'Only with a tax number' }),
    country_ids: f.many2many('res.country', {
      label: 'Countries',
      help: 'None: everywhere',
      relation: { table: 'fiscal_position_country_rel', from: 'position_id', to: 'country_id' },
    }),
    tax_ids: f.one2many('account.fiscal.position.tax', 'position_id', { label: 'Taxes' }),
    note: f.text({ translate: true, label: 'Note on documents' }),
    company_id: f.many2one('res.company', { ondelete: 'restrict' }),
    active: f.boolean({ default: true }),
  },
  { order: 'sequence, id', label: 'Fiscal position' },
) {}

declare module '#core' {
  interface Models {
    'account.fiscal.position': FiscalPosition;
  }
}
