import type { Ctx, Id } from 'pergola';
import { ForumPostReason } from '../models/forum-post-reason.ts';
import { placeOf, postIn } from '../routes/params.ts';
import { forumPath } from '../routes/paths.ts';
import { t } from '../texts.ts';
import { type ForumRow, headerOf } from './header.ts';

/** Reason selection for closing a question (`basic`) or marking a post as offensive. */
export async function reasonPage(ctx: Ctx, forum: ForumRow, id: Id, type: 'basic' | 'offensive') {
  const post = await postIn(ctx, forum, id, { name: true, create_uid: true, parent_id: { name: true } });
  const { header, viewer } = await headerOf(ctx, forum, type === 'basic' ? 'questions' : 'queue');
  if (type === 'basic') viewer.assertMay('karma_close_own', 'karma_close_all', post.create_uid);
  else viewer.assertHas('karma_moderate');
  return {
    header,
    isClosing: type === 'basic',
    name: post.name ?? post.parent_id?.name ?? '',
    action:
      type === 'basic'
        ? `${forumPath(forum)}/question/${id}/close`
        : `${forumPath(forum)}/post/${id}/mark_as_offensive`,
    back: await placeOf(ctx, forum, id),
    reasons: await ctx.model(ForumPostReason).find([['reason_type', '=', type]], { select: { name: true } }),
    seo: { title: type === 'basic' ? t(ctx, 'Close this question') : t(ctx, 'Mark as offensive'), noindex: true },
  };
}
