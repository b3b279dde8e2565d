import { Temporal } from 'temporal-polyfill';

/** A calendar day in a time zone. */
export interface Day {
  /** `2026-11-21` */
  readonly text: string;
  /** Start of the next day, in milliseconds since 1970. */
  readonly until: number;
}

/** The current day in a time zone, computed once a day. */
export class Days {
  readonly #timeZone: string;
  #last: (Day & { readonly from: number }) | null = null;

  constructor(timeZone: string) {
    this.#timeZone = timeZone;
  }

  /** Returns the day of a time in milliseconds since 1970. */
  at(moment: number): Day {
    const last = this.#last;
    if (last && moment >= last.from && moment < last.until) return last;
    const day = Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(this.#timeZone).toPlainDate();
    const next = day.add({ days: 1 }).toZonedDateTime(this.#timeZone);
    this.#last = { text: day.toString(), from: moment, until: next.epochMilliseconds };
    return this.#last;
  }
}

/** Adds days to a calendar day; negative ones go back: `plusDays(ctx.today(), 7)`. */
export function plusDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

/** Returns the Monday of a calendar day's week. */
export function mondayOf(day: string): string {
  return plusDays(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7));
}

/** Returns the moment when clocks in a zone show a time on a calendar day: `momentAt('2026-11-21', '18:30', 'Europe/Paris')`. */
export function momentAt(day: string, time: string, timeZone: string): Date {
  return new Date(Temporal.PlainDateTime.from(`${day}T${time}`).toZonedDateTime(timeZone).epochMilliseconds);
}
