import { Unavailable } from '../errors.ts';

/** `read`: pages and calls that change nothing; `write`: what a person would lose work by (an order, an answer): turned away last. */
export type Errand = 'read' | 'write';

interface Bounds {
  /** Requests at work at once. */
  readonly most: number;
  /** So many are always let in: waiting for a slow neighbour is no overload. */
  readonly always: number;
  /** How late the event loop may be, in ms. */
  readonly lagMs: number;
  /** How long requests may take of late, on average, in ms. */
  readonly tookMs: number;
}

const bounds: Readonly<Record<Errand, Bounds>> = {
  read: { most: 256, always: 32, lagMs: 250, tookMs: 1_000 },
  write: { most: 512, always: 64, lagMs: 1_000, tookMs: 3_000 },
};

const TICK_MS = 100;

/** One request's stay. */
export interface Stay {
  /** Waits for what others are slow at (a visitor who sends or reads): such a request is not at work, and its time is not ours. */
  outside<T>(wait: () => Promise<T>): Promise<T>;
  leave(): void;
}

/**
 * Turns work away while there is more than can be done in time, quickly and early, so that what is let in is answered as usual (C19). Looks at how
 * many are at work, how late the event loop is, and how long answers took of late.
 */
export class Gate {
  #inside = 0;
  #shed = 0;
  #lagMs = 0;
  /** How long answers took, smoothed. */
  #tookMs = 0;
  #tickedAt = performance.now();
  #timer: NodeJS.Timeout | null = null;

  /** Begins to watch the event loop. */
  start(): void {
    this.#tickedAt = performance.now();
    this.#timer ??= setInterval(() => this.#tick(), TICK_MS).unref();
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }

  /**
   * Lets one in.
   *
   * @throws Unavailable when the gate is full for this errand.
   */
  enter(errand: Errand): Stay {
    this.check(errand);
    this.#inside++;
    let since = performance.now();
    let took = 0;
    let left = false;
    return {
      outside: async (wait) => {
        took += performance.now() - since;
        this.#inside--;
        try {
          return await wait();
        } finally {
          this.#inside++;
          since = performance.now();
        }
      },
      leave: () => {
        if (left) return;
        left = true;
        this.#inside--;
        took += performance.now() - since;
        this.#tookMs += (took - this.#tookMs) / 16;
      },
    };
  }

  /** @throws Unavailable when the gate is full for this errand. */
  check(errand: Errand): void {
    if (!this.#isFull(bounds[errand])) return;
    this.#shed++;
    throw overloaded();
  }

  get stats(): { readonly inside: number; readonly shed: number; readonly lagMs: number } {
    return { inside: this.#inside, shed: this.#shed, lagMs: this.#lagMs };
  }

  #isFull({ most, always, lagMs, tookMs }: Bounds): boolean {
    if (this.#inside < always) return false;
    return this.#inside >= most || this.#lagMs > lagMs || this.#tookMs > tookMs;
  }

  #tick(): void {
    const now = performance.now();
    const late = Math.max(0, now - this.#tickedAt - TICK_MS);
    this.#tickedAt = now;
    // Rises at once, falls by half each tick: one stall is over soon, steady lateness stays.
    this.#lagMs = Math.max(late, this.#lagMs / 2);
    // With few at work, how long it took under load says nothing about the next.
    if (this.#inside < bounds.read.always) this.#tookMs *= 0.7;
  }
}

function overloaded(): Unavailable {
  return new Unavailable('The site is very busy. Please try again in a moment.', {
    code: 'core.overloaded',
    retryAfter: 2,
  });
}
