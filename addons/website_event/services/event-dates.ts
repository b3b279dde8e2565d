import { Temporal } from 'temporal-polyfill';
import { zoneText } from '#addons/sale';
import { app, type Ctx } from '#core';

/** When something takes place, as people at the place say it. */
export interface When {
  /** `Sat, 28 Nov 2026, 09:00 – 17:30` */
  readonly text: string;
  /** `28`, `Nov`, `Sat`: of the first day, for a calendar leaf. */
  readonly day: string;
  readonly month: string;
  readonly weekday: string;
  /** With the zone's offset, for machines: `2026-11-28T09:00:00+01:00`. */
  readonly start: string;
  readonly end: string;
  /** The same with whose clocks they are, for whoever reads it anywhere: `Sat, 28 Nov 2026, 09:00 – 17:30 (Paris time)` */
  readonly zoned: string;
  /** `Paris time` */
  readonly clock: string;
  /** Whether those are other clocks than the page's. */
  readonly isElsewhere: boolean;
}

export interface Moments {
  readonly date_begin: Date;
  readonly date_end: Date;
  readonly date_tz: string;
}

/** @returns dates and times in the event's own zone and the reader's language. */
export function whenOf(ctx: Ctx, { date_begin, date_end, date_tz }: Moments): When {
  const formats = ctx.get(app.formats);
  const format = (style: Intl.DateTimeFormatOptions) => formats.dateFormat(date_tz, ctx.lang, style);
  const whole = format({
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
  });
  const text = whole.formatRange(date_begin, date_end);
  const clock = zoneText(ctx, date_tz);
  return {
    text,
    zoned: `${text} (${clock})`,
    clock,
    day: format({ day: 'numeric' }).format(date_begin),
    month: format({ month: 'short' }).format(date_begin),
    weekday: format({ weekday: 'short' }).format(date_begin),
    start: iso(date_begin, date_tz),
    end: iso(date_end, date_tz),
    isElsewhere: !sameClock(date_begin, date_tz, ctx.timezone),
  };
}

/** A moment with its zone's offset, for machines. */
export function iso(moment: Date, zone: string): string {
  const zoned = Temporal.Instant.fromEpochMilliseconds(moment.getTime()).toZonedDateTimeISO(zone);
  return zoned.toString({ timeZoneName: 'never', smallestUnit: 'second' });
}

function sameClock(moment: Date, one: string, other: string): boolean {
  return one === other || iso(moment, one) === iso(moment, other);
}
