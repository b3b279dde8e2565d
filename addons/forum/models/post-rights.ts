import { f, type Id } from 'pergola';
import type { Viewer } from '../services/permissions.ts';
import type { KarmaName } from './karma-fields.ts';

/** Whether the author of the post or of its question determines each permission. */
type Measure =
  | { readonly plain: KarmaName }
  | { readonly own: KarmaName; readonly all: KarmaName; readonly of: 'post' | 'question' };

const measures = {
  ask: { plain: 'karma_ask' },
  answer: { plain: 'karma_answer' },
  accept: { own: 'karma_answer_accept_own', all: 'karma_answer_accept_all', of: 'question' },
  edit: { own: 'karma_edit_own', all: 'karma_edit_all', of: 'post' },
  close: { own: 'karma_close_own', all: 'karma_close_all', of: 'post' },
  unlink: { own: 'karma_unlink_own', all: 'karma_unlink_all', of: 'post' },
  upvote: { plain: 'karma_upvote' },
  downvote: { plain: 'karma_downvote' },
  comment: { own: 'karma_comment_own', all: 'karma_comment_all', of: 'post' },
  comment_convert: { own: 'karma_comment_convert_own', all: 'karma_comment_convert_all', of: 'post' },
  flag: { plain: 'karma_flag' },
  moderate: { plain: 'karma_moderate' },
} as const satisfies Readonly<Record<string, Measure>>;

type Right = keyof typeof measures;
const rights = Object.keys(measures) as Right[];

/** The caller's permissions for a post, and the required karma. */
export type PostRights = { readonly [R in Right as `can_${R}`]: boolean } & {
  readonly [R in Right as `karma_${R}`]: number;
};

const flagged = ({ label }: { label: string }) => f.boolean({ compute: 'computeRights', label });
const karma = ({ label }: { label: string }) => f.integer({ compute: 'computeRights', label });

/** Permission fields, computed for the caller. */
export const rightFields = {
  can_ask: flagged({ label: 'I can ask' }),
  can_answer: flagged({ label: 'I can answer' }),
  can_accept: flagged({ label: 'I can accept' }),
  can_edit: flagged({ label: 'I can edit' }),
  can_close: flagged({ label: 'I can close' }),
  can_unlink: flagged({ label: 'I can delete' }),
  can_upvote: flagged({ label: 'I can upvote' }),
  can_downvote: flagged({ label: 'I can downvote' }),
  can_comment: flagged({ label: 'I can comment' }),
  can_comment_convert: flagged({ label: 'I can convert' }),
  can_flag: flagged({ label: 'I can flag' }),
  can_moderate: flagged({ label: 'I can moderate' }),
  karma_ask: karma({ label: 'Karma to ask' }),
  karma_answer: karma({ label: 'Karma to answer' }),
  karma_accept: karma({ label: 'Karma to accept' }),
  karma_edit: karma({ label: 'Karma to edit' }),
  karma_close: karma({ label: 'Karma to close' }),
  karma_unlink: karma({ label: 'Karma to delete' }),
  karma_upvote: karma({ label: 'Karma to upvote' }),
  karma_downvote: karma({ label: 'Karma to downvote' }),
  karma_comment: karma({ label: 'Karma to comment' }),
  karma_comment_convert: karma({ label: 'Karma to convert' }),
  karma_flag: karma({ label: 'Karma to flag' }),
  karma_moderate: karma({ label: 'Karma to moderate' }),
} as const;

/** Permissions for a post, given its author and the author of its question. */
export function rightsFor(viewer: Viewer, author: Id | null, asker: Id | null): PostRights {
  const entries = rights.flatMap((right): [string, boolean | number][] => {
    const measure: Measure = measures[right];
    if ('plain' in measure) {
      return [
        [`can_${right}`, viewer.has(measure.plain)],
        [`karma_${right}`, viewer.table[measure.plain]],
      ];
    }
    const relevantAuthor = measure.of === 'question' ? asker : author;
    return [
      [`can_${right}`, viewer.may(measure.own, measure.all, relevantAuthor)],
      [`karma_${right}`, viewer.needs(measure.own, measure.all, relevantAuthor)],
    ];
  });
  return Object.fromEntries(entries) as PostRights;
}
