import { data, ref } from '#core';
import { Company } from '../models/company.ts';
import { Partner } from '../models/partner.ts';

export default [
  data(
    Partner,
    { main_partner: { name: 'My Company', is_company: true, email: 'info@example.com', country_id: ref('base.fr') } },
    { noupdate: true },
  ),
  data(
    Company,
    { main_company: { name: 'My Company', partner_id: ref('base.main_partner'), currency_id: ref('base.eur') } },
    { noupdate: true },
  ),
];
