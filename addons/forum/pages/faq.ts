import type { Ctx } from 'pergola';
import { seoOf } from '#addons/website';
import { Forum } from '../models/forum.ts';
import { forumPath } from '../routes/paths.ts';
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
      title: ctx.t('Guidelines'),
      canonical: `${forumPath(forum)}/faq`,
      breadcrumbs: [
        { name: forum.name, url: forumPath(forum) },
        { name: ctx.t('Guidelines'), url: `${forumPath(forum)}/faq` },
      ],
    }),
  };
}

/** Actions with their required karma, in ascending order. */
function karmaGuide(ctx: Ctx, table: ForumRow): { label: string; karma: number }[] {
  return [
    { label: ctx.t('Ask a question'), karma: table.karma_ask },
    { label: ctx.t('Answer a question'), karma: table.karma_answer },
    { label: ctx.t('Upvote'), karma: table.karma_upvote },
    { label: ctx.t('Comment on all posts'), karma: table.karma_comment_all },
    { label: ctx.t('Accept an answer to your question'), karma: table.karma_answer_accept_own },
    { label: ctx.t('Put links and pictures into posts'), karma: table.karma_editor },
    { label: ctx.t('Downvote'), karma: table.karma_downvote },
    { label: ctx.t('Make new tags'), karma: table.karma_retag },
    { label: ctx.t('Ask without being looked at first'), karma: table.karma_post },
    { label: ctx.t('Close your questions'), karma: table.karma_close_own },
    { label: ctx.t('Edit all posts'), karma: table.karma_edit_all },
    { label: ctx.t('Flag and close posts'), karma: Math.max(table.karma_flag, table.karma_close_all) },
    { label: ctx.t('Show a biography beside posts'), karma: table.karma_user_bio },
    { label: ctx.t('Moderate'), karma: table.karma_moderate },
  ].sort((a, b) => a.karma - b.karma);
}
