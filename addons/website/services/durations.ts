/** Milliseconds. */
export const MINUTE = 60_000;
/** Milliseconds. */
export const HOUR = 60 * MINUTE;
/** Milliseconds. */
export const DAY = 24 * HOUR;
/** How long a cookie or a file is kept that does not change, in seconds. */
export const YEAR_SECONDS = 365 * 24 * 3600;
