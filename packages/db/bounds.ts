import type { Unavailable } from '@pergola/core';
import { abandoned, tookTooLong } from './errors.ts';
import type { ReadBounds } from './types.ts';

/**
 * Interval for checking running statements, in ms. A page runs about thirty, most of which take less than one ms: a timer and a listener
 * for each would cost it 2 % of its time.
 */
const lookMs = 50;

/**
 * Watches the statements of one connection. Calls `stop` once the running one has exceeded its time limit or its caller has left,
 * repeatedly until it ends, because a statement that hasn't started yet ignores the call.
 */
export class StatementWatch {
  readonly #stop: () => void;
  #bounds: ReadBounds | null = null;
  #since = 0;
  #why: Unavailable | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(stop: () => void) {
    this.#stop = stop;
  }

  /** @throws Unavailable if the caller has left already. */
  begin(bounds: ReadBounds): void {
    if (bounds.signal?.aborted) throw abandoned();
    this.#bounds = bounds;
    this.#since = performance.now();
    this.#timer ??= setInterval(() => this.#look(), lookMs).unref();
  }

  /** To be called when the statement has settled, before another one runs. Returns why it was stopped, or null. */
  end(): Unavailable | null {
    const reason = this.#why;
    this.#bounds = null;
    this.#why = null;
    return reason;
  }

  #look(): void {
    if (!this.#bounds) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      return;
    }
    const { statementMs, signal } = this.#bounds;
    if (signal?.aborted) this.#why ??= abandoned();
    else if (statementMs && performance.now() - this.#since >= statementMs) this.#why ??= tookTooLong(statementMs);
    if (this.#why) this.#stop();
  }
}
