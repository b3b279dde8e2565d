/**
 * Records what a render reads, so the page cache knows how long the page is valid. The model layer, `ctx.now()`, and the user, session and
 * request of a page report to it. Pages of a context without a tracker aren't cached.
 */
export interface Tracker {
  /**
   * Records that a table was read, at an earlier `version` if given. Call it *before* fetching rows: versions are taken before the data.
   */
  table(name: string, version?: number): void;
  /** Records a comparison with the time: the page is stale from `at` on. */
  until(at: Date): void;
  /** Excludes the page from the cache, with a reason for developers. */
  personal(reason: string): void;
  /**
   * Records that the address was read with its query: the page doesn't answer requests with other values for parameters that its route
   * doesn't declare.
   */
  address(): void;
}
