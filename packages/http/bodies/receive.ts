import type { IncomingMessage, ServerResponse } from 'node:http';
import { TooLarge, Unavailable } from '@pergola/core';
import { Gone, Malformed, TooSlow } from '../malformed.ts';
import { type Intake, LARGE } from './intake.ts';

export interface ReceiveOptions {
  /** Maximum bytes of the whole body. */
  readonly limit: number;
  /** Memory for bodies. */
  readonly intake: Intake;
  /** Registers a callback that runs once the body is no longer needed. */
  readonly whenDone: (release: () => void) => void;
  /** Runs work that waits for the visitor, so that it doesn't count as load. */
  readonly outside: <T>(wait: () => Promise<T>) => Promise<T>;
}

/** How long a large body waits for a place. */
const PLACE_MS = 20_000;

/**
 * Reads a request body chunk by chunk. Stops at the limit; slow and large bodies can't crowd out others.
 *
 * @throws TooLarge naming the limit, TooSlow, Malformed (compressed bodies), Gone if the visitor disconnected, Unavailable if too many
 * uploads are running.
 */
export async function receive(
  req: IncomingMessage,
  res: ServerResponse,
  options: ReceiveOptions,
  take: (piece: Buffer) => void,
): Promise<void> {
  const { limit } = options;
  const announced = Number(req.headers['content-length'] ?? 0);
  if (announced > limit) throw tooLarge(limit);
  if ((req.headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new Malformed('Compressed requests aren’t accepted.', { code: 'core.compressed_body' });
  }
  // For clients that ask before sending a large body; a no-op for all others.
  if (req.headers.expect?.toLowerCase() === '100-continue') res.writeContinue();
  await options.outside(() => new Reception(req, options, take).done);
}

/** Whether a request announces a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** The body as one buffer. */
export async function receiveBytes(
  req: IncomingMessage,
  res: ServerResponse,
  options: ReceiveOptions,
): Promise<Buffer> {
  const pieces: Buffer[] = [];
  await receive(req, res, options, (piece) => pieces.push(piece));
  const [first] = pieces;
  return first && pieces.length === 1 ? first : Buffer.concat(pieces);
}

/** Error for input larger than a limit in bytes. */
export function tooLarge(limit: number): TooLarge {
  return new TooLarge('The request is too large. The limit is {limit}.', {
    code: 'core.too_large',
    params: { limit: inUnits(limit) },
  });
}

function inUnits(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB'];
  let value = bytes;
  let unit = 0;
  for (; value >= 1024 && unit < units.length - 1; unit++) value /= 1024;
  return `${Number(value.toFixed(1))} ${units[unit]}`;
}

class Reception {
  readonly #req: IncomingMessage;
  readonly #options: ReceiveOptions;
  readonly #take: (piece: Buffer) => void;
  #received = 0;
  #room = 0;
  #checked = 0;
  #waiting = false;
  #placed = false;
  #timer: NodeJS.Timeout | null = null;
  readonly #outcome = Promise.withResolvers<void>();
  readonly done = this.#outcome.promise;

  constructor(req: IncomingMessage, options: ReceiveOptions, take: (piece: Buffer) => void) {
    this.#req = req;
    this.#options = options;
    this.#take = take;
    this.#timer = setInterval(() => this.#check(), options.intake.checkMs).unref();
    req.on('data', this.#onData).on('end', this.#onEnd).on('error', this.#onGone).on('close', this.#onGone);
    if (req.destroyed) this.#onGone();
  }

  #onData = (piece: Buffer): void => {
    this.#received += piece.byteLength;
    if (this.#received > this.#options.limit) {
      this.#settle(tooLarge(this.#options.limit));
      return;
    }
    try {
      this.#takeRoom(piece.byteLength);
      this.#take(piece);
      if (this.#received > LARGE && !this.#placed) this.#waitForPlace();
    } catch (error) {
      this.#settle(error);
    }
  };

  /** The first megabyte is taken from the shared bytes; more requires a place. */
  #takeRoom(bytes: number): void {
    const room = Math.max(0, Math.min(bytes, LARGE - this.#room));
    if (room === 0) return;
    this.#options.intake.take(room);
    if (this.#room === 0) this.#options.whenDone(() => this.#options.intake.give(this.#room));
    this.#room += room;
  }

  #onEnd = (): void => this.#settle();

  #onGone = (): void => this.#settle(new Gone('The visitor left.'));

  /** A body slower than one byte per millisecond is cut off (C22). */
  #check(): void {
    const newBytes = this.#received - this.#checked;
    this.#checked = this.#received;
    if (this.#waiting || newBytes >= this.#options.intake.checkMs) return;
    this.#settle(new TooSlow('The request was too slow. Try again.', { code: 'core.too_slow', title: 'Too slow' }));
  }

  #waitForPlace(): void {
    this.#placed = true;
    this.#waiting = true;
    this.#req.pause();
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      const text = 'Too many files are being uploaded right now. Try again in a minute.';
      this.#settle(new Unavailable(text, { code: 'core.too_many_uploads', retryAfter: 30 }));
    }, PLACE_MS).unref();
    void this.#options.intake.places.run(
      () =>
        new Promise<void>((release) => {
          clearTimeout(timer);
          if (late) return release();
          this.#options.whenDone(release);
          this.#waiting = false;
          this.#req.resume();
        }),
    );
  }

  #settle(error?: unknown): void {
    this.#stop();
    if (error === undefined) this.#outcome.resolve();
    else this.#outcome.reject(error);
  }

  #stop(): void {
    if (this.#timer) clearInterval(this.#timer);
    const req = this.#req;
    req.pause();
    req.off('data', this.#onData).off('end', this.#onEnd).off('error', this.#onGone).off('close', this.#onGone);
    // A socket may fail after the request is done.
    req.on('error', () => {});
  }
}
