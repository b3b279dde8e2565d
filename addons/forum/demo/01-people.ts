import { Partner } from '@pergola/base';
import { data, ref } from 'pergola';
import { ForumUser } from '../models/res-users.ts';
import type { Writer } from './questions/shape.ts';
import { writers } from './questions/writers.ts';

const partners: Readonly<Partial<Record<Writer, string>>> = {
  ines: 'Inès Ferreira',
  lucas: 'Lucas Bernard',
  ada: 'Ada Novak',
  tomas: 'Tomás Ruiz',
};
const bios: Readonly<Partial<Record<Writer, readonly [bio: string, city: string]>>> = {
  karim: ['Gardener. I plant what bees like and what my grandmother cooked.', 'Val-Fleuri'],
  jeanne: ['Je chante, je plante, et j’ai la clé.', 'Val-Fleuri'],
  paul: ['Everything can be mended, most of it twice.', 'Val-Fleuri'],
  ada: ['Bread, mostly.', 'Besançon'],
};

const DAY = 86_400_000;

/** Members of the demo forum. They have no password, so these accounts can't sign in. */
export default [
  data(
    Partner,
    Object.fromEntries(
      Object.entries(partners).map(([key, name]) => [
        `demo_partner_${key}`,
        { name, email: `${key}@forum.example`, country_id: ref('base.fr') },
      ]),
    ),
  ),
  data(ForumUser, async (ctx) =>
    Object.fromEntries(
      Object.entries(writers)
        .filter(([, { isNew }]) => isNew)
        .map(([key, { partner }], place) => [
          `demo_user_${key}`,
          {
            login: `${key}@forum.example`,
            // Joined before the first question was posted.
            create_date: ctx.now().plus(-(200 + 40 * place) * DAY),
            partner_id: ref(partner),
            group_ids: [ref('base.group_portal')],
            email_verified: true,
            forum_digest: 'none' as const,
            forum_bio: bios[key as Writer]?.[0] ?? null,
            forum_city: bios[key as Writer]?.[1] ?? null,
            forum_country_id: ref('base.fr'),
          },
        ]),
    ),
  ),
];
