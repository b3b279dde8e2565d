import { User } from '#addons/base';
import type { PublicPicture } from '#addons/web';
import { extend, type FieldsOf, f, type Id, type Ids, type Values } from '#core';
import { grantFirstKarma } from '../posts/first-karma.ts';
import { ForumKarma } from './forum-karma.ts';
import { ForumPost } from './forum-post.ts';

/** What the forum keeps of a user. */
const userFields = {
  karma: f.integer({
    default: 0,
    required: true,
    copy: false,
    index: true,
    apart: true,
    help: 'The sum of all movements of karma',
  }),
  karma_ids: f.one2many('forum.karma', 'user_id', { label: 'Karma movements' }),
  badge_ids: f.one2many('gamification.badge.user', 'user_id', { label: 'Badges' }),
  website_published: f.boolean({ default: true, label: 'Profile is public', help: 'On the forum' }),
  forum_bio: f.text({ size: 1000, label: 'About me' }),
  forum_website: f.char({ size: 200, label: 'My website' }),
  forum_city: f.char({ size: 80, label: 'City' }),
  forum_country_id: f.many2one('res.country', { ondelete: 'set null', label: 'Country' }),
  forum_digest: f.selection(
    { none: 'Never', daily: 'Every day', weekly: 'Every week' },
    { default: 'weekly', label: 'Digest of the forum' },
  ),
  forum_digest_date: f.datetime({ readonly: true, copy: false, label: 'Last digest' }),
} as const;

type UserValues = Values<FieldsOf<User> & typeof userFields>;

/** Users have karma, badges and a page in each forum. What they tell of themselves there is kept apart from their contact. */
export const ForumUser = extend(
  User,
  userFields,
  (Base) =>
    class extends Base {
      override async beforeCreate(values: readonly UserValues[]): Promise<readonly UserValues[]> {
        return super.beforeCreate(values.map(({ karma: _, ...value }) => value));
      }

      /** Whoever manages users may set karma: the difference is a line of the ledger, as everything else. */
      override async write(given: Id | Ids, values: UserValues): Promise<void> {
        const { karma, ...rest } = values;
        if (typeof karma !== 'number' || this.ctx.su) return super.write(given, values);
        const ids = typeof given === 'number' ? [given] : given;
        await super.write(ids, rest);
        // Writing users is what the caller needs a right for, and what was just asked.
        if ((await this.allowed(ids, 'write')).length < ids.length) return super.write(ids, values);
        const rows = await this.ctx
          .sudo()
          .model(ForumUser)
          .read(ids, { select: { karma: true } });
        await this.ctx
          .sudo()
          .model(ForumKarma)
          .move(rows.map((row) => ({ user_id: row.id, amount: karma - row.karma, reason: 'given' as const })));
      }

      /** Keeps the sums beside the ledger. Called by the ledger alone, which has locked the users. */
      async addKarma(sums: ReadonlyMap<Id, number>): Promise<void> {
        const rows = await this.read([...sums.keys()], { select: { karma: true } });
        for (const { id, karma } of rows) {
          const next = karma + (sums.get(id) ?? 0);
          const kept: UserValues = { karma: next };
          await this.write(id, kept);
          // Posts of those who lost all their karma are out of sight until they have some again.
          if (karma > 0 !== next > 0) await this.ctx.model(ForumPost).hideAuthor(id, next <= 0);
        }
      }

      /** A confirmed address brings the karma to begin with. */
      override async verifyEmail(ids: Ids): Promise<void> {
        await super.verifyEmail(ids);
        for (const id of ids) await grantFirstKarma(this.ctx, id);
      }
    },
);

/** Those who take part show their picture beside what they write. */
export const forumFaces: readonly PublicPicture[] = [
  {
    model: 'res.partner',
    field: 'image',
    domain: [['user_ids.karma', '>', 0]],
  },
];
