/** Tag limits shared by the editor, the forms and the model. */
export const TAG = { min: 2, max: 35, most: 5, suggestions: 50, separators: /[,_\s]+/u } as const;

/** Milliseconds after the last keystroke before suggestions are loaded. */
export const TYPING_DELAY = 500;

/** Milliseconds before the loading indicator is shown. */
export const LOADING_DELAY = 500;

/** Karma required for links and images in posts, in all forums. */
export const EDITOR_KARMA = 30;

/** User-facing texts, verbatim from the specification. */
export const TEXTS = {
  ownPost: 'Sorry, you cannot vote for your own posts',
  anonymousVote: 'Sorry you must be logged to vote',
  anonymousAccept: 'Sorry, anonymous users cannot choose correct answer.',
  karma:
    '{n} karma is required to perform this action. You can earn karma by having your answers upvoted by the community.',
  editorKarma: 'Sorry you need more than 30 Karma.',
} as const;

/** Items per page or list. */
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

/** Hourly limits per person, except for moderators (C46). */
export const HOURLY = { questions: 30, answers: 60, comments: 120, tags: 30 } as const;

/** Longest title of a question, in characters. */
export const TITLE_SIZE = 200;

/** A question can be bumped after this many days without an answer, and again after as many. */
export const BUMP_DAYS = 10;

/** Hours for which the link in a validation email is valid. */
export const VALIDATION_HOURS = 24;

/** Milliseconds. */
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
