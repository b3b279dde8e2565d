import type { IncomingMessage, ServerResponse } from 'node:http';

interface Flight {
  /**
   * Null once the exchange has ended: a set with frequent additions and deletions holds on to deleted entries until V8 collects its old
   * space.
   */
  exchange: { readonly req: IncomingMessage; readonly res: ServerResponse } | null;
  /** Bytes the connection had sent before this exchange. */
  readonly sentBefore: number;
  /** Whether the last check found output the visitor hadn't read yet. */
  waits: boolean;
  waitedMs: number;
}

/** Idle connections are closed after this time, in ms. */
export const IDLE_MS = 120_000;
/** How long a visitor may take to read a reply: 25 s by default, plus a second for each 32 KB. */
const READ_MS = 25_000;
const SLOWEST_BYTES_PER_MS = 32;

/**
 * Watches replies, buffered and streamed, that wait for their visitor. Disconnects visitors who read nothing for 25 s, or so slowly that
 * they only hold memory (C22).
 */
export class InFlight {
  readonly #flights = new Set<Flight>();
  readonly #readMs: number;
  #timer: NodeJS.Timeout | null = null;
  #sweptAt = Date.now();

  constructor(readMs: number = READ_MS) {
    this.#readMs = readMs;
  }

  start(): void {
    this.#sweptAt = Date.now();
    this.#timer ??= setInterval(() => this.#sweep(Date.now()), this.#readMs / 10).unref();
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }

  add(req: IncomingMessage, res: ServerResponse): void {
    const flight: Flight = {
      exchange: { req, res },
      sentBefore: req.socket.bytesWritten,
      waits: false,
      waitedMs: 0,
    };
    this.#flights.add(flight);
    res.once('close', () => {
      this.#flights.delete(flight);
      flight.exchange = null;
    });
  }

  #sweep(now: number): void {
    const passed = now - this.#sweptAt;
    this.#sweptAt = now;
    for (const flight of this.#flights) this.#look(flight, passed);
  }

  #look(flight: Flight, passedMs: number): void {
    const { exchange, sentBefore } = flight;
    if (!exchange) return;
    const { req, res } = exchange;
    const waits = res.writableEnded ? !res.writableFinished : res.writableNeedDrain;
    if (waits !== flight.waits) {
      flight.waits = waits;
      // The socket's timeout detects visitors who stop reading altogether.
      req.socket.setTimeout(waits ? this.#readMs : IDLE_MS);
    } else if (waits) flight.waitedMs += passedMs;
    const bytes = Math.max(Number(res.getHeader('content-length') ?? 0), req.socket.bytesWritten - sentBefore);
    if (flight.waitedMs > this.#readMs + bytes / SLOWEST_BYTES_PER_MS) req.socket.destroy();
  }
}
