import { Outcomes } from './outcomes.ts';

/** Failures before a part is switched off. */
const MAX_FAILURES = 3;
/** Successes that end a trial. */
const TRIAL_SUCCESSES = 3;
/** Longest pause between two trials, in ms. */
const MAX_PAUSE_MS = 15 * 60_000;
/** Failures longer ago than this don't count, in ms. */
const MEMORY_MS = 60 * 60_000;

/** Hashed properties of a call, to distinguish faults of all calls from faults of some. */
export interface CallKey {
  readonly visitor: string;
  readonly input: string;
}

/** Whether a part of an addon runs: `open` means it is off, `half-open` that it is tried again after a trial succeeded. */
export type BreakerState = 'closed' | 'open' | 'half-open';

/** Values that a breaker keeps across restarts. */
export interface BreakerMemory {
  readonly state: BreakerState;
  readonly errors: number;
  /** When the part was switched off, in ms since 1970. */
  readonly since: number;
  /** Hashes of the failing values; null for all. */
  readonly visitors: readonly string[] | null;
  readonly inputs: readonly string[] | null;
}

/**
 * Decides whether one part of an addon runs.
 *
 * ```
 *  closed ── 3 failures ──▶ open ── after a pause, one call tries ──▶ half-open ── 3 successes ──▶ closed
 *                            ▲ └──────── fails: a pause twice as long ◀┘ fails
 * ```
 *
 * A fault that only one visitor or one input has met is only switched off for these.
 */
export class Breaker {
  state: BreakerState;
  errors: number;
  since: number;
  /** Time of the next trial, in ms since 1970. */
  retryAt = 0;
  readonly #pauseMs: number;
  #nextPauseMs: number;
  #visitors: Outcomes;
  #inputs: Outcomes;
  #isTrying = false;
  #successes = 0;
  #failedAt = 0;

  /** A breaker from `memory` tries at once: its part may have been fixed meanwhile. */
  constructor(pauseMs: number, memory?: BreakerMemory) {
    this.#pauseMs = pauseMs;
    this.#nextPauseMs = pauseMs;
    this.state = memory ? 'open' : 'closed';
    this.errors = memory?.errors ?? 0;
    this.since = memory?.since ?? 0;
    this.#visitors = new Outcomes(memory?.visitors);
    this.#inputs = new Outcomes(memory?.inputs);
    this.#failedAt = memory ? Date.now() : 0;
  }

  get memory(): BreakerMemory {
    const { state, errors, since } = this;
    return { state, errors, since, visitors: this.#visitors.failing, inputs: this.#inputs.failing };
  }

  /** Whether the part is off for everyone. */
  get isOffForAll(): boolean {
    return this.state === 'open' && this.#visitors.failing === null && this.#inputs.failing === null;
  }

  /** Whether calls like this one fail, as far as known. */
  isOffFor({ visitor, input }: CallKey): boolean {
    return this.state === 'open' && this.#visitors.covers(visitor) && this.#inputs.covers(input);
  }

  /** Whether the part must not run for this call. Lets one call through once the pause is over. */
  blocks(key: CallKey, now: number): boolean {
    if (!this.isOffFor(key)) return false;
    if (now < this.retryAt) return true;
    this.retryAt = now + this.#nextPauseMs;
    this.#isTrying = true;
    return false;
  }

  /** Records a success. */
  succeed(key: CallKey, now: number): void {
    const isTrial = this.state === 'half-open' || (this.#isTrying && this.isOffFor(key));
    this.#visitors.record(key.visitor, false);
    this.#inputs.record(key.input, false);
    // The visitors or inputs that failed haven't come back.
    const isForgotten = this.state === 'open' && !this.isOffFor(key) && now - this.#failedAt > MEMORY_MS;
    if (isForgotten) this.state = 'closed';
    if (!isTrial) return;
    this.#successes += 1;
    this.state = this.#successes < TRIAL_SUCCESSES ? 'half-open' : 'closed';
  }

  /** Records a failure. The part is off afterwards if `state` is `open`. */
  fail(key: CallKey, now: number): void {
    if (this.state === 'closed' && now - this.#failedAt > MEMORY_MS) {
      this.errors = 0;
      this.#visitors = new Outcomes();
      this.#inputs = new Outcomes();
    }
    this.#failedAt = now;
    this.errors += 1;
    this.#visitors.record(key.visitor, true);
    const inARow = this.#inputs.record(key.input, true);
    if (this.state === 'closed') {
      const isBroken = this.errors >= MAX_FAILURES && (this.#inputs.failing === null || inARow >= MAX_FAILURES);
      if (isBroken) this.#open(now, this.#pauseMs);
    } else if (this.#isTrying || this.state === 'half-open') {
      this.#open(now, Math.min(this.#nextPauseMs * 2, MAX_PAUSE_MS));
    }
  }

  #open(now: number, pauseMs: number): void {
    if (this.state === 'closed') this.since = now;
    this.state = 'open';
    this.#nextPauseMs = pauseMs;
    this.retryAt = now + pauseMs;
    this.#isTrying = false;
    this.#successes = 0;
  }
}
