import { User } from '@pergola/base';
import type { PublicPicture } from '@pergola/web';
import { extend, type FieldsOf, f, type Id, type Values } from 'pergola';

/** Forum fields of a user. */
const userFields = {
  karma: f.integer({
    default: 0,
    required: true,
    copy: false,
    index: true,
    apart: true,
    help: 'Total of all karma changes',
  }),
  karma_ids: f.one2many('forum.karma', 'user_id', { label: 'Karma history' }),
  badge_ids: f.one2many('gamification.badge.user', 'user_id', { label: 'Badges' }),
  website_published: f.boolean({
    default: true,
    label: 'Public profile',
    help: 'Visible to other people on the forum',
  }),
  forum_bio: f.text({ size: 1000, label: 'About me' }),
  forum_website: f.char({ size: 200, label: 'My website' }),
  forum_city: f.char({ size: 80, label: 'City' }),
  forum_country_id: f.many2one('res.country', { empty: 'none', label: 'Country' }),
  forum_digest: f.selection(
    { none: 'Never', daily: 'Every day', weekly: 'Every week' },
    { default: 'weekly', label: 'Forum digest' },
  ),
  forum_digest_date: f.datetime({ readonly: true, copy: false, label: 'Last digest' }),
} as const;

type UserValues = Values<FieldsOf<User> & typeof userFields>;

/** Adds karma, badges and a forum profile to users. The profile is separate from their contact. */
export const ForumUser = extend(
  User,
  userFields,
  (Base) =>
    class extends Base {
      override async beforeCreate(values: readonly UserValues[]): Promise<readonly UserValues[]> {
        return super.beforeCreate(values.map(({ karma: _, ...value }) => value));
      }

      /** Updates the stored karma sums. Only called by the ledger, which has locked the users. */
      async addKarma(sums: ReadonlyMap<Id, number>): Promise<void> {
        const rows = await this.read([...sums.keys()], { select: { karma: true } });
        for (const { id, karma } of rows) {
          const next = karma + (sums.get(id) ?? 0);
          const karmaValues: UserValues = { karma: next };
          await this.write(id, karmaValues);
        }
      }

      /** Returns a user's karma with the permissions of the context; 0 if the user doesn't exist. */
      async karmaOf(user: Id): Promise<number> {
        const row = await this.first([['id', '=', user]], { select: { karma: true } });
        return row?.karma ?? 0;
      }
    },
);

/** Authors' pictures are public. */
export const forumFaces: readonly PublicPicture[] = [
  {
    model: 'res.partner',
    field: 'image',
    domain: [['user_ids.karma', '>', 0]],
  },
];
