import { Message } from '@pergola/mail';
import { app, type Domain, type FieldsOf, type Id, service } from 'pergola';
import { ForumPost } from '../models/forum-post.ts';
import { ForumPostVote } from '../models/forum-post-vote.ts';
import { ForumTag } from '../models/forum-tag.ts';
import type { BadgeMeasure } from '../models/gamification-badge.ts';
import { ForumUser } from '../models/res-users.ts';

type PostDomain = Domain<FieldsOf<ForumPost>>;

const anyActive = ['active', 'in', [true, false]] as const;
const answers = ['parent_id', '!=', null] as const;
const questions = ['parent_id', '=', null] as const;

/** Domain of the posts that count for a measure with this threshold; null if the measure isn't based on posts. */
function postsFor(measure: BadgeMeasure, threshold: number): PostDomain | null {
  switch (measure) {
    case 'answer_votes':
      return [answers, ['vote_count', '>=', threshold]];
    case 'accepted_answer_votes':
      return [answers, ['is_correct', '=', true], ['vote_count', '>=', threshold]];
    case 'question_votes':
      return [questions, ['vote_count', '>=', threshold]];
    case 'question_views':
      return [questions, ['views', '>=', threshold]];
    case 'question_favourites':
      return [questions, ['favourite_count', '>=', threshold]];
    case 'question_solved':
      return [questions, ['has_validated_answer', '=', true]];
    case 'deleted_above':
      return [
        ['active', '=', false],
        ['state', '!=', 'offensive'],
        ['vote_count', '>=', threshold],
      ];
    case 'deleted_below':
      return [
        ['active', '=', false],
        ['state', '!=', 'offensive'],
        ['vote_count', '<=', threshold],
      ];
    default:
      return null;
  }
}

/** Determines which users have earned a badge. */
export class Badges extends service('forum.badges', { ctx: app.ctx }) {
  /** Users who meet the criteria of a badge. Runs as the system. */
  async earnedBy(measure: BadgeMeasure, threshold: number, target: number): Promise<Id[]> {
    const domain = postsFor(measure, threshold);
    if (domain)
      return keysReaching(
        await this.ctx.model(ForumPost).group([...domain, ['create_uid', '!=', null]], { by: ['create_uid'] }),
        'create_uid',
        target,
      );
    switch (measure) {
      case 'self_reply_votes':
        return this.#selfReplies(threshold, target);
      case 'edits': {
        const rows = await this.ctx
          .model(ForumPost)
          .group([['edited_uid', '!=', null], anyActive], { by: ['edited_uid'] });
        return keysReaching(rows, 'edited_uid', target);
      }
      case 'upvotes_given':
      case 'downvotes_given': {
        const voteValue = measure === 'upvotes_given' ? '1' : '-1';
        return keysReaching(
          await this.ctx.model(ForumPostVote).group([['vote', '=', voteValue]], { by: ['user_id'] }),
          'user_id',
          target,
        );
      }
      case 'profile':
        return this.ctx.model(ForumUser).search([
          ['forum_city', '!=', null],
          ['forum_country_id', '!=', null],
          ['partner_id.email', '!=', null],
        ]);
      case 'comments':
        return this.#commenters(target);
      case 'tag_used':
        return this.#tagMakers(threshold, target);
      default:
        return [];
    }
  }

  async #selfReplies(threshold: number, target: number): Promise<Id[]> {
    const rows = await this.ctx
      .model(ForumPost)
      .find([answers, ['vote_count', '>=', threshold], ['parent_id.self_reply', '=', true]], {
        select: { create_uid: true, parent_id: { create_uid: true } },
      });
    const selfAnswerers = rows.flatMap(({ create_uid, parent_id }) =>
      create_uid !== null && parent_id?.create_uid === create_uid ? [create_uid] : [],
    );
    const counts = Map.groupBy(selfAnswerers, (user) => user);
    return [...counts].flatMap(([user, list]) => (list.length >= target ? [user] : []));
  }

  async #commenters(target: number): Promise<Id[]> {
    const rows = await this.ctx.model(Message).group(
      [
        ['model', '=', 'forum.post'],
        ['type', '=', 'comment'],
        ['author_id', '!=', null],
      ],
      { by: ['author_id'] },
    );
    const partners = keysReaching(rows, 'author_id', target);
    return this.ctx.model(ForumUser).search([['partner_id', 'in', partners]]);
  }

  async #tagMakers(threshold: number, target: number): Promise<Id[]> {
    const rows = await this.ctx.model(ForumTag).group(
      [
        ['posts_count', '>=', threshold],
        ['create_uid', '!=', null],
      ],
      { by: ['create_uid'] },
    );
    return keysReaching(rows, 'create_uid', target);
  }
}

/** Keys of groups that reach the target count. */
function keysReaching(rows: readonly Readonly<Record<string, unknown>>[], key: string, target: number): Id[] {
  return rows.flatMap((row) => (Number(row.count) >= target ? [Number(row[key])] : []));
}
