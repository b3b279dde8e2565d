export interface HeartbeatOptions {
  /** Asks the other side; resolves when it answers and everything it had to tell has arrived. */
  beat(): Promise<void>;
  /** Called when beats are answered again after they were not. */
  onAlive(): void;
  /** Called when an answer is late or the process itself stood still: changes may go unheard, which a busy machine explains as well. */
  onDead(why: unknown): void;
  /** Called once after `onDead` when no busy machine explains it: the other side refused, or stayed silent for {@link SILENT_TURNS}. */
  onFault(why: unknown): void;
  intervalMs: number;
  /** An answer later than this means dead. */
  graceMs: number;
}

/** Ticks without an answer, each of them a turn in which it could have been read, from which on silence is a fault: 30 s at 100 ms. */
const SILENT_TURNS = 300;

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
  #silentTurns = 0;
  #isFault = false;
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
    this.#silentTurns += 1;
    if (this.#silentTurns === SILENT_TURNS) this.#fail(new Error(`no answer in ${SILENT_TURNS} turns`));
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
        this.#silentTurns = 0;
        if (this.#alive || this.#stopped || since < this.#deadSince) return;
        this.#alive = true;
        this.#isFault = false;
        this.#options.onAlive();
      },
      (error: unknown) => {
        this.#pendingSince = null;
        this.#die(error);
        this.#fail(error);
      },
    );
  }

  #die(why: unknown): void {
    this.#deadSince = performance.now();
    if (!this.#alive) return;
    this.#alive = false;
    if (!this.#stopped) this.#options.onDead(why);
  }

  #fail(why: unknown): void {
    if (this.#isFault || this.#stopped) return;
    this.#isFault = true;
    this.#options.onFault(why);
  }
}
