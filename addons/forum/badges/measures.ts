import { f } from '#core';

/** What badges are given for; the names people see. */
export const badgeMeasures = {
  by_hand: 'Given by hand',
  answer_votes: 'Votes of an answer',
  accepted_answer_votes: 'Votes of an accepted answer',
  self_reply_votes: 'Votes of an answer to the own question',
  question_votes: 'Votes of a question',
  question_views: 'Views of a question',
  question_favourites: 'Favourites of a question',
  question_solved: 'Question with an accepted answer',
  profile: 'Complete profile',
  comments: 'Comments',
  tag_used: 'Questions with a tag somebody made',
  downvotes_given: 'Downvotes given',
  upvotes_given: 'Upvotes given',
  edits: 'Posts edited',
  deleted_above: 'Own post deleted with so many votes or more',
  deleted_below: 'Own post deleted with so few votes or fewer',
} as const;

export type BadgeMeasure = keyof typeof badgeMeasures;

/** The field of a badge that says so. */
export const measureField = f.selection(badgeMeasures, { default: 'by_hand', required: true, label: 'What counts' });
