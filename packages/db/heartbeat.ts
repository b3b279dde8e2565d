export interface HeartbeatOptions {
  /** Sends a heartbeat; resolves once it is answered and all pending notifications have arrived. */
  beat(): Promise<void>;
  /** Called when heartbeats are answered again after an outage. */
  onAlive(): void;
  /** Called when a reply is late or the process itself was suspended: notifications may be lost. A busy machine can be the cause too. */
  onDead(why: unknown): void;
  /** Called once after `onDead` if a busy machine can't be the cause: the other side refused, or stayed silent for {@link SILENT_TURNS}. */
  onFault(why: unknown): void;
  intervalMs: number;
  /** Maximum delay of a reply. */
  graceMs: number;
}

/**
 * Ticks without a reply, each with a turn of the event loop in which it could have been read, after which silence is a fault: 30 s at 100
 * ms.
 */
const SILENT_TURNS = 300;

/** A longer gap between two ticks means that the process itself was suspended (a frozen container) and may have missed anything. */
const frozenMs = 1_000;

/**
 * Checks periodically whether the other side still responds. Starts alive: create it right after a response.
 *
 * A busy event loop must not look like a dead database, or a site under load would stop serving cached pages and collapse: a late reply
 * counts as missing only after a turn of the event loop in which it could have been read.
 */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  readonly #timer: NodeJS.Timeout;
  #alive = true;
  #silentTurns = 0;
  #isFault = false;
  #pendingSince: number | null = null;
  /** Replies to heartbeats sent before this moment are ignored. */
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
      this.#markDead(new Error(`this process stood still for ${Math.round(now - this.#lastTick)} ms`));
    this.#lastTick = now;
    if (this.#pendingSince === null) {
      this.#ask();
      return;
    }
    const since = this.#pendingSince;
    this.#silentTurns += 1;
    if (this.#silentTurns === SILENT_TURNS) this.#reportFault(new Error(`no answer in ${SILENT_TURNS} turns`));
    if (now - since <= this.#options.graceMs) return;
    setImmediate(() => {
      if (this.#pendingSince === since) this.#markDead(new Error(`no answer for ${this.#options.graceMs} ms`));
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
        this.#markDead(error);
        this.#reportFault(error);
      },
    );
  }

  #markDead(reason: unknown): void {
    this.#deadSince = performance.now();
    if (!this.#alive) return;
    this.#alive = false;
    if (!this.#stopped) this.#options.onDead(reason);
  }

  #reportFault(reason: unknown): void {
    if (this.#isFault || this.#stopped) return;
    this.#isFault = true;
    this.#options.onFault(reason);
  }
}
