import { publicMethod } from '@pergola/web';
import { access, type Ctx, type Domain, type FieldsOf, group, type Id, rule, z } from 'pergola';
import { Forum } from './models/forum.ts';
import { ForumKarma } from './models/forum-karma.ts';
import { ForumNotification } from './models/forum-notification.ts';
import { ForumPost } from './models/forum-post.ts';
import { ForumPostReason } from './models/forum-post-reason.ts';
import { ForumPostView } from './models/forum-post-view.ts';
import { ForumPostVote } from './models/forum-post-vote.ts';
import { ForumTag } from './models/forum-tag.ts';
import { GamificationBadge } from './models/gamification-badge.ts';
import { GamificationBadgeUser } from './models/gamification-badge-user.ts';
import { MANAGERS, Permissions } from './services/permissions.ts';

export const groups = [
  group(MANAGERS, {
    label: 'Forum manager',
    category: 'Forum',
    impliedBy: ['base.group_erp_manager', 'base.group_system'],
  }),
];

const people = (rights: string) => ({ 'base.group_portal': rights, 'base.group_user': rights });

/** Signed-in users can write posts within the karma rules of the model; votes, karma and notifications are only written by methods. */
export const lists = [
  access(Forum, { '*': 'r', [MANAGERS]: 'rwcd' }),
  access(ForumPost, { '*': 'r', ...people('rwcd'), [MANAGERS]: 'rwcd' }),
  access(ForumPostVote, { ...people('r'), [MANAGERS]: 'r' }),
  access(ForumPostReason, { '*': 'r', [MANAGERS]: 'rwcd' }),
  access(ForumPostView, {}),
  access(ForumTag, { '*': 'r', ...people('rc'), [MANAGERS]: 'rwcd' }),
  access(ForumKarma, { ...people('r'), [MANAGERS]: 'rc' }),
  access(ForumNotification, { ...people('r'), [MANAGERS]: 'r' }),
  access(GamificationBadge, { '*': 'r', [MANAGERS]: 'rwcd' }),
  access(GamificationBadgeUser, { '*': 'r', [MANAGERS]: 'rcd' }),
];

/** Posts visible to the caller: public posts, their own, and more depending on their karma in each forum. */
async function visiblePosts(ctx: Ctx): Promise<Domain<FieldsOf<ForumPost>>> {
  if (ctx.has(MANAGERS)) return [];
  if (ctx.user.id === null) return [['website_visible', '=', true]];
  const permissions = ctx.get(Permissions);
  const karma = await permissions.shownKarma();
  const forums = [...(await permissions.tables()).values()];
  const where = (enough: (forum: (typeof forums)[number]) => boolean): Id[] =>
    forums.filter(enough).map(({ id }) => id);
  const moderated = where((forum) => karma >= forum.karma_moderate);
  return [
    '|',
    '|',
    '|',
    '|',
    ['website_visible', '=', true],
    '&',
    ['create_uid', '=', ctx.user.id],
    ['state', '!=', 'offensive'],
    ['forum_id', 'in', moderated],
    '&',
    ['forum_id', 'in', where((forum) => karma >= forum.karma_close_all)],
    '&',
    ['active', '=', true],
    ['state', 'in', ['active', 'close']],
    '&',
    ['forum_id', 'in', where((forum) => karma >= forum.karma_post)],
    '&',
    ['active', '=', true],
    ['state', '=', 'pending'],
  ];
}

const ownRecords = (ctx: Ctx) => [['user_id', '=', ctx.user.id ?? 0]] as const;
const signedIn = ['base.group_portal', 'base.group_user'];

export const rules = [
  rule('forum.visible_posts', ForumPost, { domain: visiblePosts }),
  rule('forum.own_votes', ForumPostVote, { groups: signedIn, domain: ownRecords }),
  rule('forum.all_votes', ForumPostVote, { groups: [MANAGERS], domain: () => [] }),
  rule('forum.own_karma', ForumKarma, { groups: signedIn, domain: ownRecords }),
  rule('forum.all_karma', ForumKarma, { groups: [MANAGERS], domain: () => [] }),
  rule('forum.own_notifications', ForumNotification, { groups: signedIn, domain: ownRecords }),
];

const id = z.number().int().positive();

/** Methods available to external calls. */
export const methods = [
  publicMethod(ForumPost, 'vote', {
    right: 'write',
    writes: true,
    mails: true,
    args: z.union([z.tuple([]), z.tuple([z.boolean()])]),
  }),
  publicMethod(ForumPost, 'toggleCorrect', { right: 'write', writes: true, mails: true }),
  publicMethod(ForumPost, 'toggleFavourite', { right: 'write', writes: true }),
  publicMethod(ForumPost, 'close', { right: 'write', writes: true, mails: true, args: z.tuple([id]) }),
  publicMethod(ForumPost, 'reopen', { right: 'write', writes: true }),
  publicMethod(ForumPost, 'flag', { right: 'write', writes: true }),
  publicMethod(ForumPost, 'approve', { right: 'write', writes: true, mails: true }),
  publicMethod(ForumPost, 'refuse', { right: 'write', writes: true }),
  publicMethod(ForumPost, 'markAsOffensive', { right: 'write', writes: true, args: z.tuple([id]) }),
  publicMethod(ForumPost, 'comment', {
    right: 'write',
    writes: true,
    mails: true,
    args: z.tuple([z.string().max(20_000)]),
  }),
  publicMethod(ForumPost, 'deleteComment', { right: 'write', writes: true, args: z.tuple([id]) }),
  publicMethod(ForumPost, 'convertToComment', { right: 'write', writes: true, mails: true }),
  publicMethod(ForumPost, 'convertCommentToAnswer', { right: 'write', writes: true, mails: true, args: z.tuple([id]) }),
  publicMethod(ForumPost, 'bump', { right: 'write', writes: true }),
  publicMethod(ForumNotification, 'markRead', { right: 'read', writes: true }),
];
