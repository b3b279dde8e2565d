import { busy } from './errors.ts';

export interface PoolOptions<Item> {
  /** Maximum number of open connections, opened on demand. */
  size: number;
  /** How long to wait for a free connection, in milliseconds, before `Unavailable`. */
  deadlineMs: number;
  /** Name of the resource, for error messages. */
  resource: string;
  open(): Promise<Item>;
  close(item: Item): Promise<void>;
  /** False: closed instead of being reused. */
  usable(item: Item): boolean;
  /** Interrupts the work of an item so that it is returned; called repeatedly for items in use when the pool closes. */
  interrupt?(item: Item): void;
}

interface Waiter<Item> {
  resolve(item: Item): void;
  reject(error: unknown): void;
  timer: NodeJS.Timeout;
}

/** Time without any returned connection while all are in use, after which new callers are unlikely to get one. In milliseconds. */
const stuckMs = 2_000;
/** Time for users to finish when the pool closes, in milliseconds. */
const patienceMs = 2_000;
const interruptMs = 50;
/** Unused connections are closed after this time, in milliseconds: each holds pages and statements in memory. */
const spareMs = 20_000;

/**
 * Hands out a limited number of connections to one user at a time, in order of arrival, with a deadline. Connections unused for a while are
 * closed, except for the last one.
 */
export class Pool<Item> {
  readonly #options: PoolOptions<Item>;
  readonly #idle: Item[] = [];
  readonly #waiters: Waiter<Item>[] = [];
  readonly #closing = new Set<Promise<void>>();
  readonly #used = new Set<Item>();
  /** When a connection was last handed out or returned. */
  #movedAt = performance.now();
  /** Number of connections idle continuously since the last timer tick. */
  #spare = 0;
  readonly #timer = setInterval(() => this.#closeSpare(), spareMs).unref();
  /** Connections that are open or being opened. */
  #count = 0;
  #closed: (() => void) | null = null;

  constructor(options: PoolOptions<Item>) {
    this.#options = options;
  }

  get size(): number {
    return this.#count;
  }

  get waiting(): number {
    return this.#waiters.length;
  }

  /** Whether all are in use and none has been returned for two seconds. */
  get stuck(): boolean {
    return this.#used.size >= this.#options.size && performance.now() - this.#movedAt > stuckMs;
  }

  /** Runs `work` with an exclusive connection. */
  async use<Result>(work: (item: Item) => Promise<Result>): Promise<Result> {
    const item = this.takeIdle() ?? (await this.acquire());
    try {
      return await work(item);
    } finally {
      this.release(item);
    }
  }

  /** A free connection, if any; the fast path of `acquire`. */
  takeIdle(): Item | undefined {
    for (let item = this.#idle.pop(); item !== undefined; item = this.#idle.pop()) {
      this.#spare = Math.min(this.#spare, this.#idle.length);
      if (this.#options.usable(item)) return this.#handOut(item);
      this.#drop(item);
    }
    return undefined;
  }

  acquire(deadlineMs: number = this.#options.deadlineMs): Promise<Item> {
    if (this.#closed) return Promise.reject(busy(`${this.#options.resource} is closed`));
    const idle = this.takeIdle();
    if (idle !== undefined) return Promise.resolve(idle);
    return new Promise((resolve, reject) => {
      const waiter: Waiter<Item> = {
        resolve,
        reject,
        timer: setTimeout(() => {
          const index = this.#waiters.indexOf(waiter);
          if (index >= 0) this.#waiters.splice(index, 1);
          reject(busy(`no ${this.#options.resource} became free within ${deadlineMs} ms`));
        }, deadlineMs),
      };
      this.#waiters.push(waiter);
      this.#grow();
    });
  }

  release(item: Item): void {
    this.#used.delete(item);
    this.#movedAt = performance.now();
    if (this.#closed || !this.#options.usable(item)) {
      this.#drop(item);
      this.#grow();
      return;
    }
    const waiter = this.#waiters.shift();
    if (!waiter) {
      this.#idle.push(item);
      return;
    }
    clearTimeout(waiter.timer);
    waiter.resolve(this.#handOut(item));
  }

  /** Closes an idle connection that broke; one in use is closed when it is released. */
  discard(item: Item): void {
    const index = this.#idle.indexOf(item);
    if (index < 0) return;
    this.#idle.splice(index, 1);
    this.#spare = Math.min(this.#spare, this.#idle.length);
    this.#drop(item);
  }

  /** Rejects new users, lets current ones finish, closes all connections. */
  async close(): Promise<void> {
    const empty = new Promise<void>((resolve) => {
      this.#closed = resolve;
    });
    for (const waiter of this.#waiters.splice(0)) {
      clearTimeout(waiter.timer);
      waiter.reject(busy(`${this.#options.resource} is closed`));
    }
    clearInterval(this.#timer);
    for (const item of this.#idle.splice(0)) this.#drop(item);
    const interruptTimer = this.#interruptLater();
    if (this.#count > 0) await empty;
    clearInterval(interruptTimer);
    await Promise.all(this.#closing);
  }

  /** Interrupts again, because the work may not have started at the first call. */
  #interruptLater(): NodeJS.Timeout {
    const since = performance.now();
    return setInterval(() => {
      if (performance.now() - since < patienceMs) return;
      for (const item of this.#used) this.#options.interrupt?.(item);
    }, interruptMs);
  }

  #handOut(item: Item): Item {
    this.#used.add(item);
    this.#movedAt = performance.now();
    return item;
  }

  /** Opens another connection if there are waiters and the pool isn't full; the longest waiter gets it, or its error. */
  #grow(): void {
    if (this.#waiters.length === 0 || this.#count >= this.#options.size) return;
    this.#count += 1;
    this.#options.open().then(
      (item) => this.release(item),
      (error: unknown) => {
        this.#forget();
        const waiter = this.#waiters.shift();
        if (waiter) {
          clearTimeout(waiter.timer);
          waiter.reject(error);
        }
        this.#grow();
      },
    );
  }

  /** The first ones have been idle longest. */
  #closeSpare(): void {
    for (const item of this.#idle.splice(0, Math.min(this.#spare, this.#count - 1))) this.#drop(item);
    this.#spare = this.#idle.length;
  }

  #drop(item: Item): void {
    this.#forget();
    const closing: Promise<void> = this.#options.close(item).finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }

  #forget(): void {
    this.#count -= 1;
    if (this.#count === 0) this.#closed?.();
  }
}
