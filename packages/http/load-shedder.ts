import { currentAccount, Unavailable } from '@pergola/core';

/**
 * `read`: pages and calls that change nothing; `write`: requests whose loss would cost a person their work (an order, an answer), rejected
 * last.
 */
export type RequestClass = 'read' | 'write';

interface Bounds {
  /** Maximum number of concurrent requests. */
  readonly maxRequests: number;
  /** Number of requests always admitted: waiting for slow dependencies isn't overload. */
  readonly always: number;
  /** Maximum event loop delay, in ms. */
  readonly lagMs: number;
  /** Maximum recent average duration of requests, in ms. */
  readonly tookMs: number;
}

const bounds: Readonly<Record<RequestClass, Bounds>> = {
  read: { maxRequests: 256, always: 32, lagMs: 250, tookMs: 1_000 },
  write: { maxRequests: 512, always: 64, lagMs: 1_000, tookMs: 8_000 },
};

const TICK_MS = 100;
/** A blocked event loop is reported, with the requests responsible, after this time. */
const HELD_UP_MS = 1_000;
/** Names of requests finished since the last tick; a few are enough. */
const MAX_NAMES = 20;

/** Called with how long the event loop was blocked, in ms, and the names of the requests in progress meanwhile. */
export type HeldUp = (ms: number, routes: readonly string[]) => void;

/** Load of one class of requests. Classes are judged separately: orders waiting for each other's lock don't mean that pages are slow. */
interface ClassLoad {
  inside: number;
  /** Smoothed response time. */
  tookMs: number;
}

/** An admitted request. */
export interface Ticket {
  /**
   * Continues as a page: a POST that turned out to change nothing.
   *
   * @throws Unavailable if too many pages are in progress.
   */
  asRead(): void;
  /** Sets the route's name once it is known. */
  called(name: string): void;
  /** Waits for a slow client (sending or reading). The request doesn't count as in progress, and the time isn't added to ours. */
  outside<T>(wait: () => Promise<T>): Promise<T>;
  leave(): void;
}

/** Ticket of a rejected request. */
export const noTicket: Ticket = Object.freeze({
  called: () => {},
  outside: <T>(wait: () => Promise<T>) => wait(),
  leave: () => {},
  asRead: () => {},
});

/**
 * Rejects requests quickly and early under overload, so that admitted ones are served as usual (C19). Watches the number of requests in
 * progress, the event loop delay, and recent response times.
 */
export class LoadShedder {
  readonly #loads: Readonly<Record<RequestClass, ClassLoad>> = {
    read: { inside: 0, tookMs: 0 },
    write: { inside: 0, tookMs: 0 },
  };
  #shed = 0;
  #lagMs = 0;
  #tickedAt = performance.now();
  #timer: NodeJS.Timeout | null = null;
  readonly #heldUp: HeldUp;
  readonly #patience: number;
  /** Requests in progress, and names of requests finished since the last tick. */
  readonly #atWork = new Set<{ name: string | null }>();
  #ended: string[] = [];

  /** `patience` multiplies the time limits. */
  constructor(heldUp: HeldUp = () => {}, patience = 1) {
    this.#heldUp = heldUp;
    this.#patience = patience;
  }

  /** Starts watching the event loop. */
  start(): void {
    this.#tickedAt = performance.now();
    this.#timer ??= setInterval(() => this.#tick(), TICK_MS).unref();
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }

  /**
   * Admits a request.
   *
   * @throws Unavailable if too many of its class are in progress.
   */
  enter(requestClass: RequestClass): Ticket {
    this.#check(requestClass);
    let load = this.#loads[requestClass];
    load.inside++;
    let since = performance.now();
    let duration = 0;
    let hasLeft = false;
    const entry: { name: string | null } = { name: null };
    this.#atWork.add(entry);
    return {
      asRead: () => {
        this.#check('read');
        load.inside--;
        load = this.#loads.read;
        load.inside++;
      },
      called: (name) => {
        entry.name = name;
      },
      outside: async (wait) => {
        duration += performance.now() - since;
        load.inside--;
        try {
          return await (currentAccount()?.outside(wait) ?? wait());
        } finally {
          load.inside++;
          since = performance.now();
        }
      },
      leave: () => {
        if (hasLeft) return;
        hasLeft = true;
        this.#atWork.delete(entry);
        if (entry.name !== null && this.#ended.length < MAX_NAMES) this.#ended.push(entry.name);
        load.inside--;
        duration += performance.now() - since;
        load.tookMs += (duration - load.tookMs) / 16;
      },
    };
  }

  #check(requestClass: RequestClass): void {
    if (!this.#isFull(requestClass)) return;
    this.#shed++;
    throw overloaded();
  }

  get stats(): { readonly inside: number; readonly shed: number; readonly lagMs: number } {
    return { inside: this.#inside, shed: this.#shed, lagMs: this.#lagMs };
  }

  get #inside(): number {
    return this.#loads.read.inside + this.#loads.write.inside;
  }

  #isFull(requestClass: RequestClass): boolean {
    const { maxRequests, always, lagMs, tookMs } = bounds[requestClass];
    const load = this.#loads[requestClass];
    if (load.inside < always) return false;
    return this.#inside >= maxRequests || this.#lagMs > lagMs * this.#patience || load.tookMs > tookMs * this.#patience;
  }

  #tick(): void {
    const now = performance.now();
    const late = Math.max(0, now - this.#tickedAt - TICK_MS);
    this.#tickedAt = now;
    if (late > HELD_UP_MS) this.#heldUp(late, this.#names());
    this.#ended = [];
    // Rises at once and halves each tick: a single stall is forgotten soon, a steady delay isn't.
    this.#lagMs = Math.max(late, this.#lagMs / 2);
    for (const requestClass of ['read', 'write'] as const) {
      const load = this.#loads[requestClass];
      // With few requests in progress, response times measured under load no longer predict the next one.
      if (load.inside < bounds[requestClass].always) load.tookMs *= 0.7;
    }
  }

  #names(): string[] {
    const atWork = [...this.#atWork].flatMap(({ name }) => name ?? []);
    return [...new Set([...atWork, ...this.#ended])].slice(0, MAX_NAMES);
  }
}

function overloaded(): Unavailable {
  return new Unavailable('The site is very busy. Try again in a moment.', {
    code: 'core.overloaded',
    retryAfter: 2,
  });
}
