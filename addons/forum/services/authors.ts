import { app, type FileRef, type Id, type Ids, kept, service } from 'pergola';
import { pictureUrl } from 'pergola/pages';
import { GamificationBadge } from '../models/gamification-badge.ts';
import { GamificationBadgeUser } from '../models/gamification-badge-user.ts';
import { ForumUser } from '../models/res-users.ts';
import { forumPath } from '../routes/paths.ts';
import { t } from '../texts.ts';

/** Somebody who wrote something, as pages show them. */
export interface Author {
  readonly id: Id | null;
  readonly name: string;
  readonly initial: string;
  /** Address of a small picture; null without one. */
  readonly picture: string | null;
  readonly karma: number | null;
  /** Their page in the forum; null for those who keep it to themselves. */
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

/** The levels of badges by their ids. */
export const badgeLevels = kept('forum.badge_levels', async (ctx) => {
  const rows = await ctx.model(GamificationBadge).find([['active', 'in', [true, false]]], { select: { level: true } });
  return new Map(rows.map(({ id, level }) => [id, level]));
});

/** The people beside what they wrote. */
export class Authors extends service('forum.authors', { ctx: app.ctx }) {
  /**
   * People by their users' ids. Their names stand beside what they wrote whoever reads it; of everything else there is only what the forum shows. Two
   * queries, however many there are.
   */
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
    const known = new Map(
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
    const former: Author = {
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
    return (user) => (user === null ? former : (known.get(user) ?? former));
  }
}

/** The first letter of a name, for those without a picture. */
export function initialOf(name: string): string {
  return ([...name.trim()][0] ?? '?').toUpperCase();
}

/** A contact's picture as a small square. */
export function pictureOf(partner: Id, image: FileRef): string {
  return pictureUrl('res.partner', partner, 'image', image, 96);
}
