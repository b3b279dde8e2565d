import { seoOf } from '@pergola/website';
import type { Ctx } from 'pergola';
import { Forum } from '../models/forum.ts';
import { forumPath } from '../routes/paths.ts';
import { t } from '../texts.ts';
import { type ForumRow, headerOf } from './header.ts';

/** Participation guidelines of a forum. */
export async function faqPage(ctx: Ctx, forum: ForumRow) {
  const { header } = await headerOf(ctx, forum, 'faq');
  const row = await ctx.model(Forum).get(forum.id, { select: { faq: true } });
  return {
    header,
    row,
    karma: karmaGuide(ctx, forum),
    seo: seoOf(forum, {
      title: t(ctx, 'Guidelines'),
      canonical: `${forumPath(forum)}/faq`,
      breadcrumbs: [
        { name: forum.name, url: forumPath(forum) },
        { name: t(ctx, 'Guidelines'), url: `${forumPath(forum)}/faq` },
      ],
    }),
  };
}

/** Actions with their required karma, in ascending order. */
function karmaGuide(ctx: Ctx, table: ForumRow): { label: string; karma: number }[] {
  return [
    { label: t(ctx, 'Ask a question'), karma: table.karma_ask },
    { label: t(ctx, 'Answer a question'), karma: table.karma_answer },
    { label: t(ctx, 'Upvote'), karma: table.karma_upvote },
    { label: t(ctx, 'Comment on all posts'), karma: table.karma_comment_all },
    { label: t(ctx, 'Accept an answer to your question'), karma: table.karma_answer_accept_own },
    { label: t(ctx, 'Add links and images to posts'), karma: table.karma_editor },
    { label: t(ctx, 'Downvote'), karma: table.karma_downvote },
    { label: t(ctx, 'Create new tags'), karma: table.karma_retag },
    { label: t(ctx, 'Ask without prior review'), karma: table.karma_post },
    { label: t(ctx, 'Close your questions'), karma: table.karma_close_own },
    { label: t(ctx, 'Edit all posts'), karma: table.karma_edit_all },
    { label: t(ctx, 'Flag and close posts'), karma: Math.max(table.karma_flag, table.karma_close_all) },
    { label: t(ctx, 'Show a bio under posts'), karma: table.karma_user_bio },
    { label: t(ctx, 'Moderate'), karma: table.karma_moderate },
  ].sort((a, b) => a.karma - b.karma);
}
