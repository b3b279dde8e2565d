import { Message } from '@pergola/mail';
import type { Ctx, Domain, FieldsOf, Id } from 'pergola';
import { PAGE } from '../constants.ts';
import { ForumKarma, karmaReasons } from '../models/forum-karma.ts';
import { ForumPost } from '../models/forum-post.ts';
import { ForumPostVote } from '../models/forum-post-vote.ts';
import { GamificationBadgeUser } from '../models/gamification-badge-user.ts';
import { postPath, userPath } from '../routes/paths.ts';
import type { Viewer } from '../services/permissions.ts';
import type { Profile } from '../services/profiles.ts';
import { Questions } from '../services/questions.ts';
import { t } from '../texts.ts';
import type { ForumRow } from './header.ts';

type PostDomain = Domain<FieldsOf<ForumPost>>;
const postSelect = {
  name: true,
  vote_count: true,
  create_date: true,
  is_correct: true,
  child_count: true,
  parent_id: { name: true },
} as const;

/** Profile page of a member, below the forum header. */
export async function userPage(ctx: Ctx, forum: ForumRow, viewer: Viewer, { email: _, ...profile }: Profile) {
  const path = userPath(forum, profile.id);
  return {
    profile,
    website: webAddress(profile.website),
    ...(await activityOf(ctx, forum, viewer, profile)),
    editPath: `${path}/edit`,
    seo: { title: profile.name, type: 'profile', noindex: !profile.published, canonical: path },
  };
}

/** Returns a website URL entered by the user if it is safe to link to, else null. */
export function webAddress(text: string): string | null {
  const url = URL.parse(text.includes('://') ? text : `https://${text}`);
  return text !== '' && (url?.protocol === 'https:' || url?.protocol === 'http:') ? url.href : null;
}

/** A member's activity in a forum, as far as the viewer may see it. */
async function activityOf(ctx: Ctx, forum: ForumRow, viewer: Viewer, profile: Omit<Profile, 'email'>) {
  const isOwn = profile.id === viewer.userId;
  const limit = viewer.has('karma_unlink_all') && viewer.userId !== null ? PAGE.moderatorPosts : PAGE.profilePosts;
  const posts = ctx.model(ForumPost);
  const lines = async (domain: PostDomain, order = 'vote_count desc, id desc') => {
    const rows = await posts.find([['forum_id', '=', forum.id], ...domain], { select: postSelect, limit, order });
    return rows.map((row) => ({
      ...row,
      title: row.parent_id?.name ?? row.name ?? '',
      path: postPath(forum, row),
    }));
  };
  const byAuthor = ['create_uid', '=', profile.id] as const;
  const [questionDomain, answered] = [
    [byAuthor, ['parent_id', '=', null]] as const,
    [byAuthor, ['parent_id', '!=', null]] as const,
  ];
  const ownActivity = isOwn
    ? {
        followed: await lines(
          [
            ['id', 'in', await ctx.get(Questions).followed()],
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
    questions: await lines(questionDomain),
    questionCount: await posts.count([['forum_id', '=', forum.id], ...questionDomain]),
    answers: await lines(answered),
    answerCount: await posts.count([['forum_id', '=', forum.id], ...answered]),
    comments: await commentCount(ctx, profile.partnerId),
    received: await votesFor(ctx, forum.id, profile.id),
    badges: await badgesOf(ctx, profile.id),
    isOwn,
    own: ownActivity,
  };
}

/** Number of up- and downvotes received from others. Totals only: votes are secret. */
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
  const countOf = (vote: string): number => rows.find((row) => row.vote === vote)?.count ?? 0;
  return { up: countOf('1'), down: countOf('-1') };
}

/** A member's own votes in this forum, newest first. */
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
  const postsById = new Map(posts.map((post) => [post.id, post]));
  return rows.flatMap(({ id, vote, post_id }) => {
    const post = postsById.get(post_id);
    if (!post) return [];
    const title = post.parent_id?.name ?? post.name ?? '';
    return [{ id, isUp: vote === '1', title, path: postPath(forum, post) }];
  });
}

/** A member's own karma movements, newest first. */
async function activitiesOf(ctx: Ctx, user: Id) {
  const rows = await ctx.model(ForumKarma).find([['user_id', '=', user]], {
    select: { amount: true, reason: true, create_date: true },
    limit: PAGE.activities,
  });
  return rows.map(({ id, amount, reason, create_date }) => ({
    id,
    amount,
    sign: amount > 0 ? '+' : '',
    reason: t(ctx, karmaReasons[reason]),
    date: create_date,
  }));
}

async function commentCount(ctx: Ctx, partner: Id | null): Promise<number> {
  if (partner === null) return 0;
  // Only a number, of public comments.
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
    order: 'id desc',
    limit: 200,
  });
  return rows.flatMap(({ badge_id, create_date }) => (badge_id ? [{ ...badge_id, date: create_date }] : []));
}
