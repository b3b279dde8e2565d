import { f, model } from '#core';

/** A company that runs sites and sells; its contact holds the address. */
export class Company extends model(
  'res.company',
  {
    name: f.char({ required: true, tracked: true }),
    partner_id: f.many2one('res.partner', { required: true, ondelete: 'restrict', label: 'Contact' }),
    currency_id: f.many2one('res.currency', { required: true, ondelete: 'restrict', tracked: true }),
    logo: f.image(),
    email: f.char({ related: 'partner_id.email' }),
    phone: f.char({ related: 'partner_id.phone' }),
    bank_account: f.char({ label: 'Bank account', help: 'Shown to customers who pay by transfer', tracked: true }),
    registry: f.char({ label: 'Company registry' }),
  },
  { order: 'name', label: 'Company' },
) {}

declare module '#core' {
  interface Models {
    'res.company': Company;
  }
}
