import { Unavailable } from '@pergola/core';
import { Semaphore } from '@pergola/db';

/** Memory limits for request bodies across all requests. */
export interface IntakeBounds {
  /** Number of concurrent bodies over 1 MB; others wait unread. */
  readonly large: number;
  /** Bytes of all bodies up to 1 MB together. */
  readonly bytes: number;
  /** Interval in ms for checking upload speed: a body slower than 1 KB a second is cut off. */
  readonly checkMs: number;
}

/** Up to this size, a body counts against the shared bytes; a larger one needs a place. */
export const LARGE = 1024 * 1024;

/**
 * Limits the memory taken by request bodies, which are buffered until they are handled, however many visitors send at once, and however
 * slowly.
 */
export class Intake {
  readonly places: Semaphore;
  readonly checkMs: number;
  readonly #most: number;
  #bytes = 0;

  constructor({ large = 2, bytes = 48 * LARGE, checkMs = 5_000 }: Partial<IntakeBounds> = {}) {
    this.places = new Semaphore(large);
    this.checkMs = checkMs;
    this.#most = bytes;
  }

  /**
   * Reserves memory for more bytes of a body.
   *
   * @throws Unavailable if all bodies together exceed the limit.
   */
  take(bytes: number): void {
    if (this.#bytes + bytes > this.#most) {
      throw new Unavailable('Too many uploads right now. Try again in a minute.', {
        code: 'core.too_many_uploads',
        retryAfter: 30,
      });
    }
    this.#bytes += bytes;
  }

  give(bytes: number): void {
    this.#bytes -= bytes;
  }
}
