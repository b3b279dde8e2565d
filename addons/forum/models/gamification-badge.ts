import { f, type Id, type Ids, model } from 'pergola';
import { GamificationBadgeUser } from './gamification-badge-user.ts';

/** Criteria for badges, with their labels. */
const badgeMeasures = {
  by_hand: 'Awarded manually',
  answer_votes: 'Votes on an answer',
  accepted_answer_votes: 'Votes on an accepted answer',
  self_reply_votes: 'Votes on an answer to your own question',
  question_votes: 'Votes on a question',
  question_views: 'Views of a question',
  question_favourites: 'Times a question was favourited',
  question_solved: 'Question with an accepted answer',
  profile: 'Complete profile',
  comments: 'Comments',
  tag_used: 'Questions using a tag the user created',
  downvotes_given: 'Downvotes cast',
  upvotes_given: 'Upvotes cast',
  edits: 'Posts edited',
  deleted_above: 'Own post deleted with at least this many votes',
  deleted_below: 'Own post deleted with at most this many votes',
} as const;

export type BadgeMeasure = keyof typeof badgeMeasures;

/** An award earned once, by the success of one's posts or by hand. */
export class GamificationBadge extends model(
  'gamification.badge',
  {
    name: f.char({ required: true, translate: true, size: 60 }),
    description: f.char({ translate: true, size: 200 }),
    level: f.selection({ gold: 'Gold', silver: 'Silver', bronze: 'Bronze' }, { default: 'bronze', required: true }),
    measure: f.selection(badgeMeasures, { default: 'by_hand', required: true, label: 'Criterion' }),
    threshold: f.integer({ default: 1, label: 'Threshold', help: 'Votes, views or favourites a post must reach' }),
    target: f.integer({
      default: 1,
      required: true,
      min: 1,
      label: 'How many',
      help: 'How many it takes to earn the badge',
    }),
    sequence: f.integer({ default: 10, required: true }),
    active: f.boolean({ default: true }),
    owner_ids: f.one2many('gamification.badge.user', 'badge_id', { label: 'Awarded to' }),
    stat_count: f.integer({ compute: 'computeCount', label: 'Times awarded' }),
  },
  { order: 'sequence, id', label: 'Badge' },
) {
  async computeCount(ids: Ids): Promise<Map<Id, number>> {
    const rows = await this.ctx.model(GamificationBadgeUser).group([['badge_id', 'in', ids]], { by: ['badge_id'] });
    const counts = new Map(rows.map(({ badge_id, count }) => [Number(badge_id), count]));
    return new Map(ids.map((id) => [id, counts.get(id) ?? 0]));
  }
}

declare module 'pergola' {
  interface Models {
    'gamification.badge': GamificationBadge;
  }
}
