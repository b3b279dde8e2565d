/** Milliseconds per minute. */
export const MINUTE = 60_000;
/** Milliseconds per hour. */
export const HOUR = 60 * MINUTE;
/** Milliseconds per day. */
export const DAY = 24 * HOUR;
/** Lifetime in seconds of cookies and immutable files. */
export const YEAR_SECONDS = 365 * 24 * 3600;
