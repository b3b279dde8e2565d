import type { Searchable } from '@pergola/website';
import { ForumPost } from '../models/forum-post.ts';
import { questionPath } from '../routes/paths.ts';
import { teaser } from './html-text.ts';

/** Questions in the site search. */
export const searchedQuestions: Searchable = {
  id: 'forum.question',
  label: 'Questions',
  icon: 'chat-square-text',
  async find(ctx, text, limit) {
    const rows = await ctx.model(ForumPost).find([['id', 'matches', text], ...domain], {
      select: { name: true, content: true, forum_id: { name: true } },
      limit,
    });
    return rows.flatMap(({ forum_id: forum, content, ...question }) =>
      forum ? [{ title: question.name ?? '', url: questionPath(forum, question), text: teaser(content) }] : [],
    );
  },
  async names(ctx, limit) {
    const rows = await ctx.model(ForumPost).find(domain, { select: { name: true }, order: 'id desc', limit });
    return rows.flatMap(({ name }) => name ?? []);
  },
};

const domain = [
  ['parent_id', '=', null],
  ['state', '=', 'active'],
] as const;
