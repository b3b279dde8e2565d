import { f } from '#core';

const points = (value: number, label: string) => f.integer({ required: true, default: value, label });
const needed = (value: number, label: string) => f.integer({ required: true, default: value, label });

/** What actions bring or cost, and what they need, per forum. The numbers are those of Odoo 8, and of Odoo 9 for what it brought. */
export const karmaFields = {
  karma_gen_question_new: points(0, 'Asking a question'),
  karma_gen_question_upvote: points(5, 'Question upvoted'),
  karma_gen_question_downvote: points(-2, 'Question downvoted'),
  karma_gen_answer_upvote: points(10, 'Answer upvoted'),
  karma_gen_answer_downvote: points(-2, 'Answer downvoted'),
  karma_gen_answer_accept: points(2, 'Accepting an answer'),
  karma_gen_answer_accepted: points(15, 'Answer accepted'),
  karma_gen_answer_flagged: points(-100, 'Post marked as offensive'),
  karma_ask: needed(3, 'Ask a question'),
  karma_answer: needed(3, 'Answer a question'),
  karma_edit_own: needed(1, 'Edit own posts'),
  karma_edit_all: needed(300, 'Edit all posts'),
  karma_close_own: needed(100, 'Close own posts'),
  karma_close_all: needed(500, 'Close all posts'),
  karma_unlink_own: needed(500, 'Delete own posts'),
  karma_unlink_all: needed(1000, 'Delete all posts'),
  karma_upvote: needed(5, 'Upvote'),
  karma_downvote: needed(50, 'Downvote'),
  karma_answer_accept_own: needed(20, 'Accept an answer on own questions'),
  karma_answer_accept_all: needed(500, 'Accept an answer on all questions'),
  karma_comment_own: needed(3, 'Comment own posts'),
  karma_comment_all: needed(5, 'Comment all posts'),
  karma_comment_convert_own: needed(50, 'Convert own answers to comments and back'),
  karma_comment_convert_all: needed(500, 'Convert all answers to comments and back'),
  karma_comment_unlink_own: needed(50, 'Delete own comments'),
  karma_comment_unlink_all: needed(500, 'Delete all comments'),
  karma_retag: needed(75, 'Make new tags'),
  karma_flag: needed(500, 'Flag a post as offensive'),
  karma_editor: needed(30, 'Links and pictures in posts'),
  karma_user_bio: needed(750, 'Show a biography beside posts'),
  karma_post: needed(100, 'Ask without being looked at first'),
  karma_moderate: needed(1000, 'Moderate posts'),
} as const;

export type KarmaName = keyof typeof karmaFields;

/** All of them, for a `find`. */
export const karmaSelect = Object.fromEntries(Object.keys(karmaFields).map((name) => [name, true])) as {
  readonly [K in KarmaName]: true;
};

/** The karma numbers of one forum. */
export type KarmaTable = { readonly [K in KarmaName]: number };
