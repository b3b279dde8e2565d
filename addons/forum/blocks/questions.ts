import type { Snippet } from '@pergola/website';
import { block, type Domain, type FieldsOf, z } from 'pergola';
import { ForumPost } from '../models/forum-post.ts';
import { forumPath, questionPath } from '../routes/paths.ts';
import { otherLanguage } from '../services/html-text.ts';

const orders = {
  active: 'last_activity_date desc, id desc',
  newest: 'create_date desc, id desc',
  votes: 'vote_count desc, id desc',
} as const;

/** List of questions for any page, in the reader's language if there are any. */
export const questionsBlock = block('forum.questions', {
  label: 'Questions',
  options: z.object({
    title: z.string().max(120).default('').meta({ title: 'Title' }),
    forum: z.number().int().min(0).default(0).meta({ title: 'Forum', records: 'forum.forum', none: 'All forums' }),
    tag: z
      .number()
      .int()
      .min(0)
      .default(0)
      .meta({ title: 'Tag', records: 'forum.tag', of: { forum: 'forum_id' }, none: 'All tags' }),
    order: z
      .enum(['active', 'newest', 'votes'])
      .default('active')
      .meta({
        title: 'Sort by',
        labels: [
          { value: 'active', label: 'Last activity' },
          { value: 'newest', label: 'Newest' },
          { value: 'votes', label: 'Most votes' },
        ],
      }),
    answers: z
      .enum(['any', 'unanswered', 'solved'])
      .default('any')
      .meta({
        title: 'Show',
        labels: [
          { value: 'any', label: 'All questions' },
          { value: 'unanswered', label: 'Unanswered' },
          { value: 'solved', label: 'Solved' },
        ],
      }),
    limit: z.number().int().min(1).max(20).default(5).meta({ title: 'How many' }),
  }),
  template: 'forum.questions_block',
  load: async (ctx, { title, forum, tag, order, answers, limit }) => {
    const domain: Domain<FieldsOf<ForumPost>> = [
      ['parent_id', '=', null],
      ['website_visible', '=', true],
      ...(forum === 0 ? [] : [['forum_id', '=', forum] as const]),
      ...(tag === 0 ? [] : [['tag_ids', '=', tag] as const]),
      ...(answers === 'unanswered' ? [['child_count', '=', 0] as const] : []),
      ...(answers === 'solved' ? [['has_validated_answer', '=', true] as const] : []),
    ];
    const options = {
      select: {
        name: true,
        lang: true,
        forum_id: { name: true },
        child_count: true,
        vote_count: true,
        has_validated_answer: true,
        last_activity_date: true,
      },
      order: orders[order],
      limit,
    } as const;
    const posts = ctx.model(ForumPost);
    const localized = await posts.find([...domain, '|', ['lang', '=', null], ['lang', '=', ctx.lang]], options);
    // Falls back to all languages, rather than showing nothing.
    const rows = localized.length > 0 ? localized : await posts.find(domain, options);
    const [first] = rows;
    return {
      title,
      all: forum !== 0 && first?.forum_id ? forumPath(first.forum_id) : '/forum',
      questions: rows.flatMap(({ forum_id: forum, ...row }) =>
        forum ? [{ ...row, path: questionPath(forum, row), language: otherLanguage(ctx, row.lang) }] : [],
      ),
    };
  },
});

export const questionsSnippet: readonly Snippet[] = [
  {
    id: 'forum.questions',
    label: 'Questions',
    tab: 'dynamic',
    thumbnail: '/forum/static/snippets/questions.svg',
    block: 'forum.questions',
  },
];
