import { f } from 'pergola';

const points = (value: number, { label }: { label: string }) => f.integer({ required: true, default: value, label });
const threshold = (value: number, { label }: { label: string }) => f.integer({ required: true, default: value, label });

/** Karma gained, lost and required per action and forum. Default values follow Odoo 8, and Odoo 9 for newer actions. */
export const karmaFields = {
  karma_gen_question_new: points(0, { label: 'Asking a question' }),
  karma_gen_question_upvote: points(5, { label: 'Question upvoted' }),
  karma_gen_question_downvote: points(-2, { label: 'Question downvoted' }),
  karma_gen_answer_upvote: points(10, { label: 'Answer upvoted' }),
  karma_gen_answer_downvote: points(-2, { label: 'Answer downvoted' }),
  karma_gen_answer_accept: points(2, { label: 'Accepting an answer' }),
  karma_gen_answer_accepted: points(15, { label: 'Answer accepted' }),
  karma_gen_answer_flagged: points(-100, { label: 'Post marked as offensive' }),
  karma_ask: threshold(3, { label: 'Ask a question' }),
  karma_answer: threshold(3, { label: 'Answer a question' }),
  karma_edit_own: threshold(1, { label: 'Edit own posts' }),
  karma_edit_all: threshold(300, { label: 'Edit all posts' }),
  karma_close_own: threshold(100, { label: 'Close own posts' }),
  karma_close_all: threshold(500, { label: 'Close all posts' }),
  karma_unlink_own: threshold(500, { label: 'Delete own posts' }),
  karma_unlink_all: threshold(1000, { label: 'Delete all posts' }),
  karma_upvote: threshold(5, { label: 'Upvote' }),
  karma_downvote: threshold(50, { label: 'Downvote' }),
  karma_answer_accept_own: threshold(20, { label: 'Accept an answer on own questions' }),
  karma_answer_accept_all: threshold(500, { label: 'Accept an answer on all questions' }),
  karma_comment_own: threshold(3, { label: 'Comment on own posts' }),
  karma_comment_all: threshold(5, { label: 'Comment on all posts' }),
  karma_comment_convert_own: threshold(50, { label: 'Convert own answers to comments and back' }),
  karma_comment_convert_all: threshold(500, { label: 'Convert all answers to comments and back' }),
  karma_comment_unlink_own: threshold(50, { label: 'Delete own comments' }),
  karma_comment_unlink_all: threshold(500, { label: 'Delete all comments' }),
  karma_retag: threshold(75, { label: 'Create new tags' }),
  karma_flag: threshold(500, { label: 'Flag a post as offensive' }),
  karma_editor: threshold(30, { label: 'Add links and images to posts' }),
  karma_user_bio: threshold(750, { label: 'Show a bio under posts' }),
  karma_post: threshold(100, { label: 'Ask without prior review' }),
  karma_moderate: threshold(1000, { label: 'Moderate posts' }),
} as const;

export type KarmaName = keyof typeof karmaFields;

/** Selects all karma fields in a `find`. */
export const karmaSelect = Object.fromEntries(Object.keys(karmaFields).map((name) => [name, true])) as {
  readonly [K in KarmaName]: true;
};

/** Karma settings of one forum. */
export type KarmaTable = { readonly [K in KarmaName]: number };
