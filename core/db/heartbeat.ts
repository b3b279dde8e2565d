export interface HeartbeatOptions {
  /** Asks the other side; resolves when it answers and everything it had to tell has arrived. */
  beat(): Promise<void>;
  /** Called when beats are answered again after they were not. */
  onAlive(): void;
  onDead(why: unknown): void;
  intervalMs: number;
  /** An answer later than this means dead. */
  graceMs: number;
}

/** A gap between two beats beyond this means that the process itself stood still (a frozen container), whatever it missed meanwhile. */
const frozenMs = 1_000;

/**
 * Knows whether the other side still answers, by asking again and again. Starts alive: make it when the other side has just answered.
 *
 * A busy event loop must not look like a dead database, or a site under load would stop serving kept pages and break down: a late
 * answer only counts as missing after the loop had a turn in which it could have been read.
 */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  readonly #timer: NodeJS.Timeout;
  #alive = true;
  #pendingSince: number | null = null;
  /** Answers to what was asked before this moment prove nothing. */
  #deadSince = 0;
  #lastTick = performance.now();
  #stopped = false;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#tick(), options.intervalMs);
    this.#timer.unref();
    this.#ask();
  }

  get alive(): boolean {
    return this.#alive;
  }

  stop(): void {
    this.#stopped = true;
    this.#alive = false;
    clearInterval(this.#timer);
  }

  #tick(): void {
    const now = performance.now();
    if (now - this.#lastTick > frozenMs)
      this.#die(new Error(`this process stood still for ${Math.round(now - this.#lastTick)} ms`));
    this.#lastTick = now;
    if (this.#pendingSince === null) {
      this.#ask();
      return;
    }
    const since = this.#pendingSince;
    if (now - since <= this.#options.graceMs) return;
    setImmediate(() => {
      if (this.#pendingSince === since) this.#die(new Error(`no answer for ${this.#options.graceMs} ms`));
    });
  }

  #ask(): void {
    const since = performance.now();
    this.#pendingSince = since;
    this.#options.beat().then(
      () => {
        this.#pendingSince = null;
        if (this.#alive || this.#stopped || since < this.#deadSince) return;
        this.#alive = true;
        this.#options.onAlive();
      },
      (error: unknown) => {
        this.#pendingSince = null;
        this.#die(error);
      },
    );
  }

  #die(why: unknown): void {
    this.#deadSince = performance.now();
    if (!this.#alive) return;
    this.#alive = false;
    if (!this.#stopped) this.#options.onDead(why);
  }
}
