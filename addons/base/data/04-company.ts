import { data, ref } from 'pergola';
import { Company } from '../models/company.ts';
import { Partner } from '../models/partner.ts';

/** Demo company: a fictitious association with an unassigned phone number. */
const house = {
  name: 'La Tonnelle',
  email: 'bonjour@latonnelle.example',
  phone: '+33 3 53 01 24 68',
  street: '4 chemin du Moulin',
  zip: '25290',
  city: 'Val-Fleuri',
};

export default [
  data(
    Partner,
    async ({ config }) => ({
      main_partner: {
        ...(config.demo ? house : { name: 'My Company', email: 'info@example.com' }),
        is_company: true,
        country_id: ref('base.fr'),
      },
    }),
    { noupdate: true },
  ),
  data(
    Company,
    async ({ config }) => ({
      main_company: {
        name: config.demo ? house.name : 'My Company',
        partner_id: ref('base.main_partner'),
        currency_id: ref('base.eur'),
        ...(config.demo ? { bank_account: 'FR76 3000 6000 0112 3456 7890 189' } : {}),
      },
    }),
    { noupdate: true },
  ),
];
