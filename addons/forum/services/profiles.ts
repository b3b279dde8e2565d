import { app, type Id, service } from 'pergola';
import { ForumUser } from '../models/res-users.ts';
import { initialOf, pictureOf } from './authors.ts';
import type { Viewer } from './permissions.ts';

/** User fields shown on a profile page. */
const profileSelect = {
  karma: true,
  active: true,
  website_published: true,
  forum_bio: true,
  forum_website: true,
  forum_city: true,
  forum_country_id: { name: true },
  forum_digest: true,
  create_date: true,
  partner_id: { name: true, image: true, email: true },
} as const;

/** Public profiles of members. */
export class Profiles extends service('forum.profiles', { ctx: app.ctx }) {
  /** Returns a member's profile, limited to what the forum shows, or null. */
  async of(user: Id) {
    const row = await this.ctx
      .sudo()
      .model(ForumUser)
      .first(
        [
          ['id', '=', user],
          ['active', '=', true],
        ],
        { select: profileSelect },
      );
    if (!row) return null;
    const name = row.partner_id?.name ?? '';
    return {
      id: row.id,
      name,
      initial: initialOf(name),
      picture: row.partner_id?.image && row.karma > 0 ? pictureOf(row.partner_id.id, row.partner_id.image) : null,
      partnerId: row.partner_id?.id ?? null,
      email: row.partner_id?.email ?? '',
      karma: row.karma,
      published: row.website_published,
      bio: row.forum_bio ?? '',
      website: row.forum_website ?? '',
      city: row.forum_city ?? '',
      country: row.forum_country_id?.name ?? '',
      countryId: row.forum_country_id?.id ?? null,
      digest: row.forum_digest,
      since: row.create_date,
    };
  }
}
export type Profile = NonNullable<Awaited<ReturnType<Profiles['of']>>>;

/** Whether the viewer can see a profile: `gone` users have no page, `private` ones hide it. */
export function visibilityOf(profile: Profile | null, viewer: Viewer): 'shown' | 'private' | 'gone' {
  const isModerator = viewer.has('karma_unlink_all') && viewer.userId !== null;
  if (!profile) return 'gone';
  const isOwn = profile.id === viewer.userId;
  if (!isOwn && profile.karma < 1 && !isModerator) return 'gone';
  return isOwn || profile.published || isModerator ? 'shown' : 'private';
}
