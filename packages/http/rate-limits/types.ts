/** One call to be counted: at most `calls` of one `key` under `name` in any `seconds`, over all nodes. */
export interface RatedCall {
  readonly name: string;
  readonly key: string;
  readonly calls: number;
  readonly seconds: number;
  /** Counted by this process alone, in memory: for limits on its own work, which must cost less than that work. */
  readonly here?: boolean;
}

export interface RateVerdict {
  readonly ok: boolean;
  /** Whole seconds after which a new try makes sense; 0 when it was let through. */
  readonly retryAfter: number;
}

/** One try to sign in. */
export interface SignInTry {
  /** Login as typed, whether the account exists or not. */
  readonly account: string;
  readonly address: string;
}

/** Counts in small transactions of its own: never called inside a write. Throws Unavailable when the database is away. */
export interface RateLimiter {
  /** Counts one call; throws TooMany when its window is full. */
  take(call: RatedCall): Promise<void>;
  /** The same, but answers instead of throwing. A refused call is not counted. */
  tryTake(call: RatedCall): Promise<RateVerdict>;
  /** Counts one try to sign in (or another use of a password): at most 10 a minute per account, 60 per address; throws TooMany. */
  takeSignIn(attempt: SignInTry): Promise<void>;
  /** Gives back a try whose password was right, so that only wrong ones count. */
  giveBackSignIn(attempt: SignInTry): Promise<void>;
  /** Deletes counters whose windows have ended and returns how many. One node runs it from time to time. */
  sweep(): Promise<number>;
}
