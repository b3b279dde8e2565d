/** A call to be counted: at most `calls` for one `key` under `name` in any `seconds`, across all nodes. */
export interface RatedCall {
  readonly name: string;
  readonly key: string;
  readonly calls: number;
  readonly seconds: number;
  /** Counted in this process only, in memory: for limits that protect this process and must cost less than the work itself. */
  readonly here?: boolean;
}

export interface RateVerdict {
  readonly ok: boolean;
  /** Whole seconds until a retry makes sense; 0 if the call was allowed. */
  readonly retryAfter: number;
}

/** A sign-in attempt. */
export interface SignInTry {
  /** Login as typed, whether the account exists or not. */
  readonly account: string;
  readonly address: string;
}

/** Counts in small separate transactions: never call it inside a write. Throws Unavailable if the database is unreachable. */
export interface RateLimiter {
  /** Counts one call; throws TooMany if its window is full. */
  take(call: RatedCall): Promise<void>;
  /** The same, but returns the verdict instead of throwing. A rejected call isn't counted. */
  tryTake(call: RatedCall): Promise<RateVerdict>;
  /** Counts one sign-in attempt (or another use of a password): at most 10 a minute per account, 60 per address; throws TooMany. */
  takeSignIn(attempt: SignInTry): Promise<void>;
  /** Gives back an attempt with the right password, so that only wrong ones count. */
  giveBackSignIn(attempt: SignInTry): Promise<void>;
  /** Deletes counters whose windows have ended and returns how many. One node runs it from time to time. */
  sweep(): Promise<number>;
}
