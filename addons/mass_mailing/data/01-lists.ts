import { WebsiteMenu } from '@pergola/website';
import { data, ref } from 'pergola';
import { MailingList } from '../models/list.ts';

/** Default mailing list, linked from the page footer. */
export default [
  data(
    MailingList,
    {
      newsletter: {
        name: { en_US: 'Newsletter', fr_FR: 'Lettre d’information' },
        description: {
          en_US: 'News and upcoming dates, once a month.',
          fr_FR: 'Les nouvelles et les dates à venir, une fois par mois.',
        },
      },
    },
    { noupdate: true },
  ),
  data(
    WebsiteMenu,
    {
      menu_newsletter: {
        name: { en_US: 'Newsletter', fr_FR: 'Lettre d’information' },
        url: '/newsletter',
        parent_id: ref('website.footer_menu'),
        sequence: 30,
      },
    },
    { noupdate: true },
  ),
];
