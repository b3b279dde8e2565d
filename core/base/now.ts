/** Maximum clock difference between nodes, in milliseconds; a time further ahead was written by a wrong clock. */
export const CLOCK_TOLERANCE_MS = 5 * 60_000;

/**
 * Whether something happened within the last `ms` milliseconds. Times in the future, written by a clock that was ahead, don't count as
 * recent: otherwise a proof or pause would last as long as the clock was ahead.
 *
 * @param time a date, or milliseconds since 1970
 */
export function isRecent(time: Date | number, ms: number, now: Date): boolean {
  const age = now.getTime() - Number(time);
  return age < ms && age > -CLOCK_TOLERANCE_MS;
}

/**
 * Time of a request, as returned by `ctx.now()`. The class marks it as the current time, so a domain that compares with it knows how long
 * its result is valid. Calculate with {@link plus}, which keeps the class; everything else returns a plain date.
 */
export class Now extends Date {
  /** Milliseconds after the request's time. */
  readonly offset: number;

  constructor(time: number = Date.now(), offset = 0) {
    super(time);
    this.offset = offset;
  }

  /** Adds milliseconds; negative ones go back. */
  plus(milliseconds: number): Now {
    return new Now(this.getTime() + milliseconds, this.offset + milliseconds);
  }
}
