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
            '<p><strong>Welcome!</strong> Ask a question, or help someone with theirs. Anyone can read; to ask, answer and vote, you need an account.</p>',
          fr_FR:
            '<p><strong>Bienvenue !</strong> Posez une question, ou répondez à celles des autres. La lecture est libre ; pour demander, répondre et voter, il faut un compte.</p>',
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
