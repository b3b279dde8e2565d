import { f, model } from 'pergola';

/** A company that operates websites and sells products or services. Its address is the address of its contact. */
export class Company extends model(
  'res.company',
  {
    name: f.char({ required: true, tracked: true }),
    partner_id: f.many2one('res.partner', { required: true, ondelete: 'restrict', label: 'Contact' }),
    currency_id: f.many2one('res.currency', { required: true, ondelete: 'restrict', tracked: true }),
    logo: f.image(),
    street: f.char({ related: 'partner_id.street', writable: true }),
    street2: f.char({ related: 'partner_id.street2', writable: true, label: 'Street 2' }),
    zip: f.char({ related: 'partner_id.zip', writable: true, label: 'Postal code' }),
    city: f.char({ related: 'partner_id.city', writable: true }),
    country_id: f.many2one('res.country', { related: 'partner_id.country_id', writable: true }),
    vat: f.char({ related: 'partner_id.vat', writable: true, label: 'Tax number' }),
    email: f.char({ related: 'partner_id.email', writable: true }),
    phone: f.char({ related: 'partner_id.phone', writable: true }),
    bank_account: f.char({ label: 'Bank account', help: 'Shown to customers who pay by bank transfer', tracked: true }),
    registry: f.char({ label: 'Company registry' }),
  },
  { order: 'name', label: 'Company' },
) {
  /** Public names of this installation, such as its company names; addons can add more. */
  async publicNames(): Promise<string[]> {
    const companies = await this.find([], { select: { name: true }, limit: 1000 });
    return companies.map(({ name }) => name);
  }
}

declare module 'pergola' {
  interface Models {
    'res.company': Company;
  }
}
