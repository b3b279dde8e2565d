import { data, ref } from 'pergola';
import { Contact } from '../models/contact.ts';
import { Exclusion } from '../models/exclusion.ts';
import { MailingList } from '../models/list.ts';
import { Subscription } from '../models/subscription.ts';

const day = 86_400_000;

/** Newsletter subscribers: local part of the address, name, language, days since subscribing, and whether they have unsubscribed. */
const readers = [
  ['amelie', 'Amélie Laurent', 'fr_FR', 310, false],
  ['bruno', 'Bruno Keller', 'fr_FR', 280, false],
  ['claire', 'Claire Dubois', 'fr_FR', 244, true],
  ['david', 'David Osei', 'en_US', 190, false],
  ['elena', 'Elena Rossi', 'en_US', 121, false],
  ['farid', 'Farid Benali', 'fr_FR', 64, false],
  ['grace', 'Grace Murphy', 'en_US', 22, false],
  ['hugo', 'Hugo Petit', 'fr_FR', 5, false],
] as const;

/** As in the original: three imported addresses, one of which has unsubscribed. */
const imported = ['aa', 'bb', 'cc'] as const;

export default [
  data(MailingList, {
    imported: {
      name: { en_US: 'Imported Contacts', fr_FR: 'Contacts importés' },
      is_public: false,
      sequence: 30,
    },
    workshop: {
      name: { en_US: 'Workshop days', fr_FR: 'Journées à l’atelier' },
      description: {
        en_US: 'A mail before each open day of the workshop, with what we repair and what to bring.',
        fr_FR:
          'Un e-mail avant chaque journée ouverte de l’atelier\u00a0: ce que l’on répare et ce qu’il faut apporter.',
      },
      sequence: 20,
    },
  }),
  data(
    Contact,
    Object.fromEntries([
      ...readers.map(([login, name, lang]) => [`reader_${login}`, { email: `${login}@readers.example`, name, lang }]),
      ...imported.map((login) => [`imported_${login}`, { email: `${login}@example.com`, name: login }]),
    ]),
  ),
  data(Subscription, async (ctx) =>
    Object.fromEntries([
      ...readers.map(([login, , , days, hasLeft]) => [
        `newsletter_${login}`,
        {
          contact_id: ref(`reader_${login}`),
          list_id: ref('newsletter'),
          source: 'confirmed' as const,
          date: ctx.now().plus(-days * day),
          opt_out: hasLeft,
          opt_out_date: hasLeft ? ctx.now().plus(-12 * day) : null,
        },
      ]),
      ...readers.slice(2, 6).map(([login, , , days]) => [
        `workshop_${login}`,
        {
          contact_id: ref(`reader_${login}`),
          list_id: ref('workshop'),
          source: 'confirmed' as const,
          date: ctx.now().plus(-Math.floor(days / 2) * day),
        },
      ]),
      ...imported.map((login) => [
        `imported_${login}_subscribed`,
        { contact_id: ref(`imported_${login}`), list_id: ref('imported'), opt_out: login === 'cc' },
      ]),
    ]),
  ),
  data(Exclusion, {
    nobody: { email: 'old-address@readers.example', reason: 'bounce', note: '550 5.1.1 no such user' },
  }),
];
