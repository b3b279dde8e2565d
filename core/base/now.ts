/** How far clocks of nodes may differ before a time counts as written by a clock that was ahead, in milliseconds. */
export const CLOCK_TOLERANCE_MS = 5 * 60_000;

/**
 * Whether something happened within the last `ms` milliseconds. Times in the future, which only a clock that was ahead can have written, are not recent:
 * otherwise a proof or a pause would last for as long as the clock was ahead.
 *
 * @param at a moment, or milliseconds since 1970
 */
export function isRecent(at: Date | number, ms: number, now: Date): boolean {
  const age = now.getTime() - Number(at);
  return age < ms && age > -CLOCK_TOLERANCE_MS;
}

/**
 * The time of a request as `ctx.now()` gives it: a date that says of itself that it is now, so that a domain against it tells until when its
 * result holds. Calculate with {@link plus}, which keeps that; everything else makes a plain date of it.
 */
export class Now extends Date {
  /** Milliseconds between the request's time and this. */
  readonly offset: number;

  constructor(time: number = Date.now(), offset = 0) {
    super(time);
    this.offset = offset;
  }

  /** So many milliseconds later (earlier when negative). */
  plus(milliseconds: number): Now {
    return new Now(this.getTime() + milliseconds, this.offset + milliseconds);
  }
}
