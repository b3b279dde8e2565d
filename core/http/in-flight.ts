import type { IncomingMessage, ServerResponse } from 'node:http';

interface Flight {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  /** When the reply was complete on our side, in ms; 0 before. */
  endedAt: number;
}

/** How long a visitor may take to read a reply: 25 s unless said otherwise, and a second for each 32 KB of it. */
const READ_MS = 25_000;
const SLOWEST_BYTES_PER_MS = 32;

/** Watches replies that are ready and not yet read, and cuts off visitors who read so slowly that they only hold memory (C22). */
export class InFlight {
  readonly #flights = new Set<Flight>();
  readonly #readMs: number;
  #timer: NodeJS.Timeout | null = null;

  constructor(readMs: number = READ_MS) {
    this.#readMs = readMs;
  }

  start(): void {
    this.#timer ??= setInterval(() => this.#sweep(Date.now()), this.#readMs / 10).unref();
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }

  add(req: IncomingMessage, res: ServerResponse): void {
    const flight: Flight = { req, res, endedAt: 0 };
    this.#flights.add(flight);
    res.once('close', () => this.#flights.delete(flight));
  }

  #sweep(now: number): void {
    for (const flight of this.#flights) {
      const { req, res } = flight;
      if (!res.writableEnded || res.writableFinished) continue;
      if (flight.endedAt === 0) {
        flight.endedAt = now;
        // Who stops reading altogether is noticed by the socket itself.
        req.socket.setTimeout(this.#readMs);
      }
      const allowed = this.#readMs + Number(res.getHeader('content-length') ?? 0) / SLOWEST_BYTES_PER_MS;
      if (now - flight.endedAt > allowed) req.socket.destroy();
    }
  }
}
