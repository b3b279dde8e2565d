import { Unavailable } from '../base/errors.ts';

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
  write: { most: 512, always: 64, lagMs: 1_000, tookMs: 8_000 },
};

const TICK_MS = 100;
/** The event loop stood still for so long that somebody should know who did it. */
const HELD_UP_MS = 1_000;
/** Names of requests that ended since the last look; a few tell enough. */
const MOST_NAMES = 20;

/** Told for how long nobody was answered, in ms, and the names of the requests that were at work meanwhile. */
export type HeldUp = (ms: number, routes: readonly string[]) => void;

/** What is known of the requests of one errand. Each is judged by its own: orders that wait for each other's turn say nothing about pages. */
interface Crowd {
  inside: number;
  /** How long answers took, smoothed. */
  tookMs: number;
}

/** One request's stay. */
export interface Stay {
  /**
   * Goes on as a page: a POST that turned out to change nothing.
   *
   * @throws Unavailable when the gate is full for pages.
   */
  asRead(): void;
  /** Says which route the request is for, once it is known. */
  called(name: string): void;
  /** Waits for what others are slow at (a visitor who sends or reads): such a request is not at work, and its time is not ours. */
  outside<T>(wait: () => Promise<T>): Promise<T>;
  leave(): void;
}

/**
 * Turns work away while there is more than can be done in time, quickly and early, so that what is let in is answered as usual (C19). Looks at how
 * many are at work, how late the event loop is, and how long answers took of late.
 */
export class Gate {
  readonly #crowds: Readonly<Record<Errand, Crowd>> = {
    read: { inside: 0, tookMs: 0 },
    write: { inside: 0, tookMs: 0 },
  };
  #shed = 0;
  #lagMs = 0;
  #tickedAt = performance.now();
  #timer: NodeJS.Timeout | null = null;
  readonly #heldUp: HeldUp;
  /** Requests at work, and the names of those that ended since the last tick. */
  readonly #atWork = new Set<{ name: string | null }>();
  #ended: string[] = [];

  constructor(heldUp: HeldUp = () => {}) {
    this.#heldUp = heldUp;
  }

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
    this.#check(errand);
    let crowd = this.#crowds[errand];
    crowd.inside++;
    let since = performance.now();
    let took = 0;
    let left = false;
    const here: { name: string | null } = { name: null };
    this.#atWork.add(here);
    return {
      asRead: () => {
        this.#check('read');
        crowd.inside--;
        crowd = this.#crowds.read;
        crowd.inside++;
      },
      called: (name) => {
        here.name = name;
      },
      outside: async (wait) => {
        took += performance.now() - since;
        crowd.inside--;
        try {
          return await wait();
        } finally {
          crowd.inside++;
          since = performance.now();
        }
      },
      leave: () => {
        if (left) return;
        left = true;
        this.#atWork.delete(here);
        if (here.name !== null && this.#ended.length < MOST_NAMES) this.#ended.push(here.name);
        crowd.inside--;
        took += performance.now() - since;
        crowd.tookMs += (took - crowd.tookMs) / 16;
      },
    };
  }

  #check(errand: Errand): void {
    if (!this.#isFull(errand)) return;
    this.#shed++;
    throw overloaded();
  }

  get stats(): { readonly inside: number; readonly shed: number; readonly lagMs: number } {
    return { inside: this.#inside, shed: this.#shed, lagMs: this.#lagMs };
  }

  get #inside(): number {
    return this.#crowds.read.inside + this.#crowds.write.inside;
  }

  #isFull(errand: Errand): boolean {
    const { most, always, lagMs, tookMs } = bounds[errand];
    const crowd = this.#crowds[errand];
    if (crowd.inside < always) return false;
    return this.#inside >= most || this.#lagMs > lagMs || crowd.tookMs > tookMs;
  }

  #tick(): void {
    const now = performance.now();
    const late = Math.max(0, now - this.#tickedAt - TICK_MS);
    this.#tickedAt = now;
    if (late > HELD_UP_MS) this.#heldUp(late, this.#names());
    this.#ended = [];
    // Rises at once, falls by half each tick: one stall is over soon, steady lateness stays.
    this.#lagMs = Math.max(late, this.#lagMs / 2);
    for (const errand of ['read', 'write'] as const) {
      const crowd = this.#crowds[errand];
      // With few at work, how long it took under load says nothing about the next.
      if (crowd.inside < bounds[errand].always) crowd.tookMs *= 0.7;
    }
  }

  #names(): string[] {
    const atWork = [...this.#atWork].flatMap(({ name }) => name ?? []);
    return [...new Set([...atWork, ...this.#ended])].slice(0, MOST_NAMES);
  }
}

function overloaded(): Unavailable {
  return new Unavailable('The site is very busy. Please try again in a moment.', {
    code: 'core.overloaded',
    retryAfter: 2,
  });
}
