import type { Unavailable } from '@pergola/core';
import { abandoned, tookTooLong } from './errors.ts';
import type { ReadBounds } from './types.ts';

/**
 * How often a statement that runs is looked at, in ms. A page has some thirty, most of which take less than one: a timer and a listener for each would
 * cost it a fiftieth of its time.
 */
const lookMs = 50;

/**
 * Watches the statements of one connection: `stop` is called when the one that runs has taken too long, or when nobody waits for it any more, and again
 * and again until it has ended, for one that has not begun yet hears nothing.
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

  /** @throws Unavailable when nobody waits already. */
  begin(bounds: ReadBounds): void {
    if (bounds.signal?.aborted) throw abandoned();
    this.#bounds = bounds;
    this.#since = performance.now();
    this.#timer ??= setInterval(() => this.#look(), lookMs).unref();
  }

  /** Called when it has settled, and before anything else runs in its place. Answers why it was stopped; null when nothing stopped it. */
  end(): Unavailable | null {
    const why = this.#why;
    this.#bounds = null;
    this.#why = null;
    return why;
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
