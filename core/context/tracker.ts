/**
 * What a render read, so that the page cache knows how long its page is good for. The model layer, `ctx.now()`, and the user,
 * session and request of a page report to it; a context without one is not being kept.
 */
export interface Tracker {
  /** A table was read, as of a version where that was before now. Called *before* the rows are fetched: versions are taken before the data. */
  table(name: string, version?: number): void;
  /** Something was compared with the time: the page is stale from `at` on. */
  until(at: Date): void;
  /** The page must not be kept, and why (for the developer's view). */
  personal(reason: string): void;
  /** The address was read with its query: the page answers no request with other values that its route doesn't declare. */
  address(): void;
}
