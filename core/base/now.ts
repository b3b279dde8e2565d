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
