import { app, type FileRef, type Id, type Ids, kept, service } from 'pergola';
import { pictureUrl } from 'pergola/pages';
import { GamificationBadge } from '../models/gamification-badge.ts';
import { GamificationBadgeUser } from '../models/gamification-badge-user.ts';
import { ForumUser } from '../models/res-users.ts';
import { forumPath } from '../routes/paths.ts';
import { t } from '../texts.ts';

/** Author of a post or comment for display. */
export interface Author {
  readonly id: Id | null;
  readonly name: string;
  readonly initial: string;
  /** URL of a small picture, or null. */
  readonly picture: string | null;
  readonly karma: number | null;
  /** Path of their forum profile; null if it is private. */
  readonly path: string | null;
  readonly bio: string | null;
  readonly gold: number;
  readonly silver: number;
  readonly bronze: number;
}

interface ForumName {
  readonly id: Id;
  readonly name: string;
  readonly karma_user_bio: number;
}

/** Badge levels by badge ID. */
export const badgeLevels = kept('forum.badge_levels', async (ctx) => {
  const rows = await ctx.model(GamificationBadge).find([['active', 'in', [true, false]]], { select: { level: true } });
  return new Map(rows.map(({ id, level }) => [id, level]));
});

/** Authors shown next to their posts. */
export class Authors extends service('forum.authors', { ctx: app.ctx }) {
  /** Returns authors by user ID. Names are public next to a post; other data only as far as the forum shows it. Two queries in total. */
  async of(forum: ForumName, users: Ids): Promise<(user: Id | null) => Author> {
    const ids = [...new Set(users)].filter((id) => id > 0);
    const system = this.ctx.sudo();
    const rows = await system.model(ForumUser).read(ids, {
      select: {
        karma: true,
        website_published: true,
        active: true,
        forum_bio: true,
        partner_id: true,
        name: true,
        image: true,
      },
    });
    const earned = await system
      .model(GamificationBadgeUser)
      .find([['user_id', 'in', ids]], { select: { user_id: true, badge_id: true } });
    const badges = Map.groupBy(earned, ({ user_id }) => user_id);
    const levels = await badgeLevels.get(system);
    const authorsById = new Map(
      rows.map((row): [Id, Author] => {
        const count = (level: string): number =>
          (badges.get(row.id) ?? []).filter(({ badge_id }) => levels.get(badge_id) === level).length;
        const name = row.name ?? '';
        const isOpen = row.active && (row.website_published || row.id === this.ctx.user.id);
        return [
          row.id,
          {
            id: row.id,
            name,
            initial: initialOf(name),
            picture: row.image && row.karma > 0 ? pictureOf(row.partner_id, row.image) : null,
            karma: row.karma,
            path: isOpen ? `${forumPath(forum)}/user/${row.id}` : null,
            bio: row.website_published && row.karma >= forum.karma_user_bio ? row.forum_bio : null,
            gold: count('gold'),
            silver: count('silver'),
            bronze: count('bronze'),
          },
        ];
      }),
    );
    const unknownAuthor: Author = {
      id: null,
      name: t(this.ctx, 'Former member'),
      initial: '–',
      picture: null,
      karma: null,
      path: null,
      bio: null,
      gold: 0,
      silver: 0,
      bronze: 0,
    };
    return (user) => (user === null ? unknownAuthor : (authorsById.get(user) ?? unknownAuthor));
  }
}

/** First letter of a name, used if there is no picture. */
export function initialOf(name: string): string {
  return ([...name.trim()][0] ?? '?').toUpperCase();
}

/** URL of a contact's picture as a small square. */
export function pictureOf(partner: Id, image: FileRef): string {
  return pictureUrl('res.partner', partner, 'image', image, 96);
}
