import { Unavailable } from '../errors.ts';

/** `read`: pages and calls that change nothing; `write`: what a person would lose work by (an order, an answer): turned away last. */
export type Errand = 'read' | 'write';

export interface GateBounds {
  /** Requests at work at once. */
  readonly most: number;
  /** So many are always let in: waiting for a slow neighbour is no overload. */
  readonly always: number;
  /** How late the event loop may be, in ms. */
  readonly lagMs: number;
  /** How long a request would wait, by how fast others were answered of late, in ms. */
  readonly waitMs: number;
}

const bounds: Readonly<Record<Errand, GateBounds>> = {
  read: { most: 256, always: 32, lagMs: 250, waitMs: 1_000 },
  write: { most: 512, always: 64, lagMs: 1_000, waitMs: 3_000 },
};

const TICK_MS = 100;

/**
 * Turns work away while there is more than can be done in time, quickly and early, so that what is let in is answered as usual (C19). Looks at how
 * many are at work, how late the event loop is, and how long the present rate of answers would need for them.
 */
export class Gate {
  #inside = 0;
  #shed = 0;
  #lagMs = 0;
  /** Requests answered per second, smoothed. */
  #rate = 0;
  #answered = 0;
  #tickedAt = performance.now();
  #timer: NodeJS.Timeout | null = null;

  /** Begins to watch the event loop; without it only the number at work counts. */
  start(): void {
    this.#tickedAt = performance.now();
    this.#timer ??= setInterval(() => this.#tick(), TICK_MS).unref();
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }

  /** Lets one in, or not. Who was let in must `leave`. */
  enter(errand: Errand): boolean {
    if (this.isFull(errand)) {
      this.#shed++;
      return false;
    }
    this.#inside++;
    return true;
  }

  leave(): void {
    this.#inside--;
    this.#answered++;
  }

  isFull(errand: Errand): boolean {
    const { most, always, lagMs, waitMs } = bounds[errand];
    if (this.#inside < always) return false;
    return this.#inside >= most || this.#lagMs > lagMs || this.#wait() > waitMs;
  }

  get stats(): { readonly inside: number; readonly shed: number; readonly lagMs: number } {
    return { inside: this.#inside, shed: this.#shed, lagMs: this.#lagMs };
  }

  /** How long those inside will take, in ms; nothing is known before the first answers. */
  #wait(): number {
    return this.#rate > 0 ? (this.#inside / this.#rate) * 1000 : 0;
  }

  #tick(): void {
    const now = performance.now();
    const passed = now - this.#tickedAt;
    this.#tickedAt = now;
    const late = Math.max(0, passed - TICK_MS);
    // Rises at once, falls by half each tick: one stall is over soon, steady lateness stays.
    this.#lagMs = Math.max(late, this.#lagMs / 2);
    const present = (this.#answered / passed) * 1000;
    this.#answered = 0;
    this.#rate = this.#rate === 0 ? present : this.#rate * 0.8 + present * 0.2;
  }
}

/** What is answered to those who are turned away. */
export function overloaded(): Unavailable {
  return new Unavailable('The site is very busy. Please try again in a moment.', {
    code: 'core.overloaded',
    retryAfter: 2,
  });
}
