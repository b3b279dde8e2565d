import { Message } from '#addons/mail';
import type { Ctx, Domain, FieldsOf, Id } from '#core';
import { PAGE } from '../constants.ts';
import { ForumKarma, karmaReasons } from '../models/forum-karma.ts';
import { ForumPost } from '../models/forum-post.ts';
import { ForumPostVote } from '../models/forum-post-vote.ts';
import { GamificationBadgeUser } from '../models/gamification-badge-user.ts';
import { ForumUser } from '../models/res-users.ts';
import { questionPath } from '../routes/paths.ts';
import type { Viewer } from './permissions.ts';
import { initialOf, pictureOf } from './authors.ts';
import type { ForumRow } from '../pages/header.ts';
import { followedBy } from './questions.ts';

/** What a person's page reads of them. */
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

/** A person as the forum knows them; null when there is none. Only what the forum shows is read. */
export async function profileOf(ctx: Ctx, user: Id) {
  const row = await ctx
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
    picture: row.partner_id?.image && row.karma > 0 ? pictureOf(row.partner_id.id, row.partner_id.image.hash) : null,
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
export type Profile = NonNullable<Awaited<ReturnType<typeof profileOf>>>;

/** Whether the viewer sees a person's page at all: `gone` people have no page, `private` ones keep theirs to themselves. */
export function visibilityOf(profile: Profile | null, viewer: Viewer): 'shown' | 'private' | 'gone' {
  const isModerator = viewer.has('karma_unlink_all') && viewer.userId !== null;
  if (!profile) return 'gone';
  const isOwn = profile.id === viewer.userId;
  if (!isOwn && profile.karma < 1 && !isModerator) return 'gone';
  return isOwn || profile.published || isModerator ? 'shown' : 'private';
}

type PostDomain = Domain<FieldsOf<ForumPost>>;
const postSelect = {
  name: true,
  vote_count: true,
  create_date: true,
  is_correct: true,
  child_count: true,
  parent_id: { name: true },
} as const;

/** What a person has done in a forum, as the viewer may see it. */
export async function activityOf(ctx: Ctx, forum: ForumRow, viewer: Viewer, profile: Profile) {
  const isOwn = profile.id === viewer.userId;
  const limit = viewer.has('karma_unlink_all') && viewer.userId !== null ? 200 : PAGE.profilePosts;
  const posts = ctx.model(ForumPost);
  const lines = async (domain: PostDomain, order = 'vote_count desc, id desc') => {
    const rows = await posts.find([['forum_id', '=', forum.id], ...domain], { select: postSelect, limit, order });
    return rows.map((row) => ({
      ...row,
      title: row.parent_id?.name ?? row.name ?? '',
      path: row.parent_id ? `${questionPath(forum, row.parent_id)}#answer-${row.id}` : questionPath(forum, row),
    }));
  };
  const by = ['create_uid', '=', profile.id] as const;
  const [asked, answered] = [[by, ['parent_id', '=', null]] as const, [by, ['parent_id', '!=', null]] as const];
  const own = isOwn
    ? {
        followed: await lines(
          [
            ['id', 'in', await followedBy(ctx)],
            ['parent_id', '=', null],
          ],
          'last_activity_date desc, id desc',
        ),
        favourites: await lines([['favourite_ids', '=', profile.id]], 'last_activity_date desc, id desc'),
        votes: await votesBy(ctx, forum, profile.id),
        activities: await activitiesOf(ctx, profile.id),
      }
    : null;
  return {
    questions: await lines(asked),
    questionCount: await posts.count([['forum_id', '=', forum.id], ...asked]),
    answers: await lines(answered),
    answerCount: await posts.count([['forum_id', '=', forum.id], ...answered]),
    comments: await commentCount(ctx, profile.partnerId),
    received: await votesFor(ctx, forum.id, profile.id),
    badges: await badgesOf(ctx, profile.id),
    isOwn,
    own,
  };
}

/** How often others voted for and against what a person wrote here. Totals only: who voted is nobody's to know. */
async function votesFor(ctx: Ctx, forum: Id, user: Id): Promise<{ up: number; down: number }> {
  const rows = await ctx
    .sudo()
    .model(ForumPostVote)
    .group(
      [
        ['recipient_id', '=', user],
        ['forum_id', '=', forum],
        ['vote', '!=', '0'],
      ],
      { by: ['vote'] },
    );
  const of = (vote: string): number => rows.find((row) => row.vote === vote)?.count ?? 0;
  return { up: of('1'), down: of('-1') };
}

/** A person's own votes here, the latest first. */
async function votesBy(ctx: Ctx, forum: ForumRow, user: Id) {
  const rows = await ctx.model(ForumPostVote).find(
    [
      ['user_id', '=', user],
      ['forum_id', '=', forum.id],
      ['vote', '!=', '0'],
    ],
    {
      select: { vote: true, post_id: true },
      limit: PAGE.activities,
    },
  );
  const posts = await ctx.model(ForumPost).read(
    rows.map(({ post_id }) => post_id),
    { select: { name: true, parent_id: { name: true } } },
  );
  const known = new Map(posts.map((post) => [post.id, post]));
  return rows.flatMap(({ id, vote, post_id }) => {
    const post = known.get(post_id);
    if (!post) return [];
    const path = post.parent_id
      ? `${questionPath(forum, post.parent_id)}#answer-${post.id}`
      : questionPath(forum, post);
    return [{ id, isUp: vote === '1', title: post.parent_id?.name ?? post.name ?? '', path }];
  });
}

/** A person's own movements of karma, the latest first. */
async function activitiesOf(ctx: Ctx, user: Id) {
  const rows = await ctx.model(ForumKarma).find([['user_id', '=', user]], {
    select: { amount: true, reason: true, create_date: true },
    limit: PAGE.activities,
  });
  return rows.map(({ id, amount, reason, create_date }) => ({
    id,
    amount,
    sign: amount > 0 ? '+' : '',
    reason: ctx.t(karmaReasons[reason]),
    date: create_date,
  }));
}

async function commentCount(ctx: Ctx, partner: Id | null): Promise<number> {
  if (partner === null) return 0;
  // A number alone, of what everybody can read.
  return ctx
    .sudo()
    .model(Message)
    .count([
      ['author_id', '=', partner],
      ['model', '=', 'forum.post'],
      ['type', '=', 'comment'],
      ['internal', '=', false],
    ]);
}

async function badgesOf(ctx: Ctx, user: Id) {
  const rows = await ctx.model(GamificationBadgeUser).find([['user_id', '=', user]], {
    select: { create_date: true, badge_id: { name: true, description: true, level: true } },
  });
  return rows.flatMap(({ badge_id, create_date }) => (badge_id ? [{ ...badge_id, date: create_date }] : []));
}
