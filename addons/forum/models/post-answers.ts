import { f, type Id, type Ids, mixin } from '#core';
import { toggleCorrect } from '../posts/accepting.ts';
import { comment, convertCommentToAnswer, convertToComment, deleteComment } from '../posts/comments.ts';
import { only, postsWith } from '../posts/of-post.ts';
import { ForumPost } from './forum-post.ts';

/** What is kept of a question's answers. */
interface AnswerFigures {
  readonly child_count: number;
  readonly has_validated_answer: boolean;
  readonly self_reply: boolean;
}

/** What others say to a post: answers, the accepted one among them, and comments. */
export const PostAnswers = mixin(
  'forum.post_answers',
  {
    is_correct: f.boolean({ readonly: true, label: 'Accepted answer' }),
    child_ids: f.one2many('forum.post', 'parent_id', { label: 'Answers' }),
    child_count: f.integer({
      compute: 'computeAnswers',
      depends: ['child_ids.website_visible', 'child_ids.is_correct', 'child_ids.create_uid'],
      store: true,
      label: 'Number of answers',
    }),
    has_validated_answer: f.boolean({
      compute: 'computeAnswers',
      depends: ['child_ids.website_visible', 'child_ids.is_correct', 'child_ids.create_uid'],
      store: true,
      label: 'Has an accepted answer',
    }),
    self_reply: f.boolean({
      compute: 'computeAnswers',
      depends: ['child_ids.website_visible', 'child_ids.is_correct', 'child_ids.create_uid'],
      store: true,
      label: 'Answered by its author',
    }),
    uid_has_answered: f.boolean({ compute: 'computeHasAnswered', label: 'I have answered' }),
  },
  (Base) =>
    class extends Base {
      /** Answers that everybody sees, by question. */
      async computeAnswers(ids: Ids): Promise<Map<Id, AnswerFigures>> {
        const [answers, own] = await Promise.all([
          this.ctx.model(ForumPost).find(
            [
              ['parent_id', 'in', ids],
              ['website_visible', '=', true],
            ],
            {
              select: { parent_id: true, is_correct: true, create_uid: true },
            },
          ),
          this.read(ids, { select: { create_uid: true } }),
        ]);
        const byQuestion = Map.groupBy(answers, ({ parent_id }) => parent_id);
        return new Map(
          own.map(({ id, create_uid }) => {
            const found = byQuestion.get(id) ?? [];
            return [
              id,
              {
                child_count: found.length,
                has_validated_answer: found.some(({ is_correct }) => is_correct),
                self_reply: create_uid !== null && found.some((answer) => answer.create_uid === create_uid),
              },
            ];
          }),
        );
      }

      async computeHasAnswered(ids: Ids): Promise<Map<Id, boolean>> {
        return postsWith(this.ctx, ids, [['child_ids.create_uid', '=', this.ctx.user.id ?? 0]]);
      }

      async toggleCorrect(ids: Ids): Promise<boolean | { readonly error: 'anonymous_user' }> {
        return toggleCorrect(this.ctx, only(ids));
      }

      async comment(ids: Ids, body: string): Promise<Id> {
        return comment(this.ctx, only(ids), body);
      }
      async deleteComment(ids: Ids, message: Id): Promise<boolean> {
        return deleteComment(this.ctx, only(ids), message);
      }
      async convertToComment(ids: Ids): Promise<Id | false> {
        return convertToComment(this.ctx, only(ids));
      }
      async convertCommentToAnswer(ids: Ids, message: Id): Promise<Id | false> {
        return convertCommentToAnswer(this.ctx, only(ids), message);
      }
    },
);
