import { WebsiteMenu } from '@pergola/website';
import { data, ref } from 'pergola';
import { Forum } from '../models/forum.ts';
import { description, guidelines } from '../models/forum-texts.ts';

export default [
  data(
    Forum,
    {
      forum_help: {
        name: { en_US: 'Help', fr_FR: 'Entraide' },
        description,
        faq: guidelines,
        welcome_message: {
          en_US:
            '<p><strong>Welcome!</strong> Here neighbours ask and answer. Read as long as you like; to ask, answer and vote you need an account.</p>',
          fr_FR:
            '<p><strong>Bienvenue !</strong> Ici, on demande et on répond entre voisins. Lisez autant que vous voulez ; pour demander, répondre et voter, il faut un compte.</p>',
        },
      },
    },
    { noupdate: true },
  ),
  data(
    WebsiteMenu,
    {
      menu_forum: {
        name: { en_US: 'Forum', fr_FR: 'Forum' },
        url: '/forum',
        parent_id: ref('website.main_menu'),
        sequence: 45,
      },
    },
    { noupdate: true },
  ),
];
