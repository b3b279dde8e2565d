import { createHmac } from 'node:crypto';
import { namedCache } from '@pergola/caches';
import { type Log, TooMany, value } from '@pergola/core';
import type { Database } from '@pergola/db';
import { RateCounters } from './rate-limit-counters.ts';
import { SignInGuard } from './rate-limit-sign-in.ts';
import { countCalls } from './rate-limit-window.ts';
import type { RatedCall, RateLimiter, RateVerdict, SignInTry } from './types.ts';

export interface RateLimiterOptions {
  readonly database: Database;
  readonly log: Log;
  /** `config.sessionSecret`: addresses and logins are stored as keyed hashes. */
  readonly secret: string;
  /** Milliseconds since 1970. */
  readonly clock?: () => number;
}

interface Waiting {
  readonly call: RatedCall;
  readonly answers: ((verdict: RateVerdict) => void)[];
  readonly failures: ((error: unknown) => void)[];
}

/** Maximum number of remembered exhausted keys. */
const maxBlocked = 50_000;
/** Maximum number of counters per transaction. */
const maxBatchSize = 200;

/** The application's rate limiter. */
export const rateLimiter = value<DatabaseRateLimiter>('rate limiter');

/**
 * Counts calls across all nodes (C32, C46) in small separate transactions: calls that arrive while one runs are batched into the next. Once
 * a key is rejected, further calls are rejected from memory until one would be allowed again, so a flood costs nothing.
 */
export class DatabaseRateLimiter implements RateLimiter {
  readonly #counters: RateCounters;
  readonly #secret: string;
  readonly #clock: () => number;
  readonly #signIns: SignInGuard;
  /** When each rejected key is allowed again. */
  readonly #blocked = namedCache<string, number>('rate_limits_refused', { max: maxBlocked, entryBytes: 150 });
  /** Counters of this process only. */
  readonly #here = namedCache<string, string>('rate_limits_here', { max: maxBlocked, entryBytes: 250 });
  #waiting = new Map<string, Waiting>();
  #counting = false;

  constructor({ database, log, secret, clock = Date.now }: RateLimiterOptions) {
    this.#counters = new RateCounters(database);
    this.#secret = secret;
    this.#clock = clock;
    this.#signIns = new SignInGuard((call) => this.tryTake(call), log);
  }

  async take(call: RatedCall): Promise<void> {
    const { ok, retryAfter } = await this.tryTake(call);
    if (!ok) throw tooMany(retryAfter);
  }

  async tryTake(call: RatedCall): Promise<RateVerdict> {
    const key = this.#keyOf(call);
    const blockedUntil = this.#blocked.get(key);
    if (blockedUntil !== undefined) {
      const wait = blockedUntil - this.#clock();
      // A rejection never lasts longer than its window; a longer one comes from a clock that was ahead.
      if (wait > 0 && wait <= longestWait(call)) return refused(wait);
      this.#blocked.delete(key);
    }
    if (call.here) return this.#countHere(key, call);
    return new Promise((resolve, reject) => {
      const waiting = this.#waiting.get(key) ?? { call, answers: [], failures: [] };
      waiting.answers.push(resolve);
      waiting.failures.push(reject);
      this.#waiting.set(key, waiting);
      void this.#count();
    });
  }

  async takeSignIn(attempt: SignInTry): Promise<void> {
    const { ok, retryAfter } = await this.#signIns.take(attempt);
    if (!ok) throw tooMany(retryAfter);
  }

  async giveBackSignIn(attempt: SignInTry): Promise<void> {
    const keys = SignInGuard.countsOf(attempt).map((call) => this.#keyOf(call));
    await this.#counters.giveBack(keys);
    for (const key of keys) this.#blocked.delete(key);
  }

  sweep(): Promise<number> {
    return this.#counters.sweep(this.#clock());
  }

  close(): void {
    this.#signIns.close();
  }

  #countHere(key: string, call: RatedCall): RateVerdict {
    const now = this.#clock();
    const { granted, waitMs, text } = countCalls(this.#here.get(key) ?? '', call, 1, now);
    this.#here.set(key, text);
    if (waitMs > 0) this.#blocked.set(key, now + waitMs);
    return granted > 0 ? passed : refused(waitMs);
  }

  /** Counts waiting calls, one transaction at a time. */
  async #count(): Promise<void> {
    if (this.#counting) return;
    this.#counting = true;
    // Batches calls made in the same turn of the event loop.
    await null;
    while (this.#waiting.size > 0) {
      const batch = new Map([...this.#waiting].slice(0, maxBatchSize));
      for (const key of batch.keys()) this.#waiting.delete(key);
      await this.#countBatch(batch);
    }
    this.#counting = false;
  }

  async #countBatch(batch: ReadonlyMap<string, Waiting>): Promise<void> {
    const counters = [...batch].map(([key, { call, answers }]) => ({ ...call, key, count: answers.length }));
    try {
      const now = this.#clock();
      const counts = await this.#counters.count(counters, now);
      for (const [index, [key, { answers }]] of [...batch].entries()) {
        const { granted, waitMs } = counts[index] ?? { granted: 0, waitMs: 1_000 };
        if (waitMs > 0) this.#blocked.set(key, now + waitMs);
        for (const [number, answer] of answers.entries()) answer(number < granted ? passed : refused(waitMs));
      }
    } catch (error) {
      for (const { failures } of batch.values()) for (const fail of failures) fail(error);
    }
  }

  #keyOf({ name, key, calls, seconds }: RatedCall): string {
    const text = JSON.stringify([name, key, calls, seconds]);
    return createHmac('sha256', this.#secret).update(`core.rate:${text}`).digest('base64url').slice(0, 32);
  }
}

/** Milliseconds after which a full window allows another call at the latest, with two slots for rounding. */
function longestWait({ seconds }: RatedCall): number {
  return seconds * 1_020;
}

const passed: RateVerdict = Object.freeze({ ok: true, retryAfter: 0 });

function refused(waitMs: number): RateVerdict {
  return { ok: false, retryAfter: Math.max(1, Math.ceil(waitMs / 1_000)) };
}

/** Error for a call over the limit; `retryAfter` in seconds. */
export function tooMany(retryAfter: number): TooMany {
  return new TooMany('You’ve tried too many times. Try again in {seconds} seconds.', {
    code: 'core.too_many_calls',
    params: { seconds: retryAfter },
    retryAfter,
  });
}
