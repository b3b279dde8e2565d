import { data, ref } from 'pergola';
import { demoPassword } from '../demo-passwords.ts';
import { Partner } from '../models/partner.ts';
import { User } from '../models/user.ts';

/**
 * Demo accounts: `editor` edits and publishes pages, `portal` is a customer. Their passwords equal their logins; rejected in production.
 */
export default [
  data(Partner, {
    demo_editor_partner: {
      name: 'Camille Moreau',
      email: 'editor@example.com',
      function: 'Web editor',
      city: 'Lyon',
      country_id: ref('base.fr'),
    },
    demo_portal_partner: {
      name: 'Jo Martin',
      email: 'portal@example.com',
      phone: '+33 1 99 00 12 34',
      street: '12 rue des Lilas',
      zip: '75011',
      city: 'Paris',
      country_id: ref('base.fr'),
      lang: 'fr_FR',
    },
    demo_northwind: {
      name: 'Northwind Traders',
      is_company: true,
      email: 'hello@northwind.example',
      phone: '+1 206 555 0142',
      street: '1 Harbor Way',
      city: 'Seattle',
      zip: '98101',
      country_id: ref('base.us'),
      state_id: ref('base.state_us_wa'),
    },
    demo_northwind_ana: {
      name: 'Ana Silva',
      parent_id: ref('base.demo_northwind'),
      function: 'Purchasing',
      email: 'ana@northwind.example',
    },
    demo_delft: {
      name: 'Delft Keramiek',
      is_company: true,
      email: 'info@delft.example',
      street: 'Oude Markt 4',
      city: 'Delft',
      zip: '2611',
      country_id: ref('base.nl'),
    },
    demo_lausanne: {
      name: 'Atelier Lausanne',
      is_company: true,
      email: 'contact@atelier.example',
      street: 'Rue de Bourg 9',
      city: 'Lausanne',
      zip: '1003',
      country_id: ref('base.ch'),
      lang: 'fr_FR',
    },
  }),
  data(User, async () => ({
    demo_editor: {
      login: 'editor',
      partner_id: ref('base.demo_editor_partner'),
      company_id: ref('base.main_company'),
      group_ids: [ref('base.group_user')],
      ...(await demoPassword('editor')),
      email_verified: true,
    },
    demo_portal: {
      login: 'portal',
      partner_id: ref('base.demo_portal_partner'),
      group_ids: [ref('base.group_portal')],
      ...(await demoPassword('portal')),
      email_verified: true,
    },
  })),
];
