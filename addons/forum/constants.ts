/** Tags: what the editor, the forms and the model hold people to. */
export const TAG = { min: 2, max: 35, most: 5, suggestions: 50, separators: /[,_\s]+/u } as const;

/** Milliseconds after the last letter before suggestions are asked for. */
export const TYPING_DELAY = 500;

/** Milliseconds after which somebody who waits for suggestions is told that they are being loaded. */
export const LOADING_DELAY = 500;

/** Karma that links and pictures in posts need, whatever the forum. */
export const EDITOR_KARMA = 30;

/** What people read, word for word as the specification has it. */
export const TEXTS = {
  ownPost: 'Sorry, you cannot vote for your own posts',
  anonymousVote: 'Sorry you must be logged to vote',
  anonymousAccept: 'Sorry, anonymous users cannot choose correct answer.',
  karma:
    '{n} karma is required to perform this action. You can earn karma by having your answers upvoted by the community.',
  editorKarma: 'Sorry you need more than 30 Karma.',
} as const;

/** How much of what is shown on a page. */
export const PAGE = {
  questions: 10,
  users: 30,
  answers: 100,
  commentsShown: 5,
  profilePosts: 20,
  moderatorPosts: 200,
  notifications: 100,
  activities: 100,
  similar: 5,
  tags: 20,
  feed: 30,
  queue: 20,
} as const;

/** Most of each kind that one person may make in an hour; moderators aside (C46). */
export const HOURLY = { questions: 30, answers: 60, comments: 120, tags: 30 } as const;

/** Longest title of a question, in characters. */
export const TITLE_SIZE = 200;

/** A question may be brought up again when nobody answered it for so many days, and as often. */
export const BUMP_DAYS = 10;

/** Hours for which the link in a validation mail is good. */
export const VALIDATION_HOURS = 24;

/** Milliseconds. */
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
