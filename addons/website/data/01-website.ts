import { data, ref } from 'pergola';
import { Website } from '../models/website.ts';
import { WebsiteMenu } from '../models/website-menu.ts';

/** The demo site, La Tonnelle, is in France. */
export const demoTimezone = 'Europe/Paris';

/** Same as on the demo's contact page. */
const demoHours = {
  en_US: 'Tuesday to Friday: 9–12, 14–18\nThursday evening: until 22\nSaturday: 10–16',
  fr_FR: 'Du mardi au vendredi : 9 h–12 h, 14 h–18 h\nLe jeudi soir : jusqu’à 22 h\nLe samedi : 10 h–16 h',
};

export default [
  data(
    Website,
    async ({ config }) => ({
      default_website: {
        ...(config.demo
          ? { name: 'La Tonnelle', timezone: demoTimezone, opening_hours: demoHours }
          : { name: 'My Website' }),
        company_id: ref('base.main_company'),
        language_ids: [ref('base.lang_en'), ref('base.lang_fr')],
        default_lang_id: ref('base.lang_en'),
      },
    }),
    { noupdate: true },
  ),
  data(
    WebsiteMenu,
    {
      main_menu: { name: { en_US: 'Main menu', fr_FR: 'Menu principal' }, url: '', sequence: 0 },
      menu_home: {
        name: { en_US: 'Home', fr_FR: 'Accueil' },
        url: '/',
        parent_id: ref('main_menu'),
        page_id: ref('homepage'),
        sequence: 10,
      },
      menu_contactus: {
        name: { en_US: 'Contact us', fr_FR: 'Contact' },
        url: '/contactus',
        parent_id: ref('main_menu'),
        page_id: ref('contactus'),
        sequence: 60,
      },
      footer_menu: { name: { en_US: 'Footer', fr_FR: 'Pied de page' }, url: '', place: 'footer', sequence: 0 },
      menu_legal: {
        name: { en_US: 'Legal notice', fr_FR: 'Mentions légales' },
        url: '/legal',
        parent_id: ref('footer_menu'),
        page_id: ref('legal'),
        sequence: 10,
      },
    },
    { noupdate: true },
  ),
];
