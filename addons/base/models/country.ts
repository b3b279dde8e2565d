import { f, model } from 'pergola';

/** A country by its ISO 3166-1 code. */
export class Country extends model(
  'res.country',
  {
    name: f.char({ required: true, translate: true, label: 'Country' }),
    code: f.char({ required: true, size: 2, unique: true, label: 'Country code', help: 'ISO 3166-1, two letters' }),
    phone_code: f.char({ size: 24, label: 'Calling code' }),
    currency_id: f.many2one('res.currency', { empty: 'none' }),
    state_ids: f.one2many('res.country.state', 'country_id'),
    zip_required: f.boolean({ default: true, label: 'Postal code required' }),
  },
  { order: 'name', search: ['name', 'code'], label: 'Country' },
) {}

/** A state, province or region of a country. */
export class CountryState extends model(
  'res.country.state',
  {
    name: f.char({ required: true, label: 'State' }),
    code: f.char({ required: true, size: 12 }),
    country_id: f.many2one('res.country', { required: true, ondelete: 'cascade', index: true }),
  },
  { order: 'country_id, name', unique: [{ fields: ['country_id', 'code'] }], label: 'State' },
) {}

declare module 'pergola' {
  interface Models {
    'res.country': Country;
    'res.country.state': CountryState;
  }
}
