import { Temporal } from 'temporal-polyfill';

const minute = 60_000;

/** A calendar day in a time zone. */
export interface Day {
  /** `2026-11-21` */
  readonly text: string;
  /** When the next one begins, to the minute; milliseconds since 1970. */
  readonly until: number;
}

/** Which day it is in a time zone; worked out once a day. */
export class Days {
  readonly #format: Intl.DateTimeFormat;
  #last: (Day & { readonly from: number }) | null = null;

  constructor(timeZone: string) {
    this.#format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  }

  /** The day of a moment, in milliseconds since 1970. */
  at(moment: number): Day {
    const last = this.#last;
    if (last && moment >= last.from && moment < last.until) return last;
    const text = this.#format.format(moment);
    const day = { text, from: moment, until: this.#end(moment, text) };
    this.#last = day;
    return day;
  }

  /** The next day begins at most 25 hours ahead: clocks are put back. */
  #end(moment: number, text: string): number {
    let same = Math.ceil(moment / minute) - 1;
    let other = same + 25 * 60 + 1;
    while (other - same > 1) {
      const middle = Math.floor((same + other) / 2);
      if (this.#format.format(Math.max(moment, middle * minute)) === text) same = middle;
      else other = middle;
    }
    return other * minute;
  }
}

const dayMs = 24 * 60 * minute;

/** So many days after a calendar day (before it, when negative): `plusDays(ctx.today(), 7)`. */
export function plusDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}

/** The Monday of a calendar day's week. */
export function mondayOf(day: string): string {
  return plusDays(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7));
}

/** The moment when clocks in a zone show a time on a calendar day: `momentAt('2026-11-21', '18:30', 'Europe/Paris')`. */
export function momentAt(day: string, time: string, timeZone: string): Date {
  return new Date(Temporal.PlainDateTime.from(`${day}T${time}`).toZonedDateTime(timeZone).epochMilliseconds);
}
