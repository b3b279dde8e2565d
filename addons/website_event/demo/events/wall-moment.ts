import { Temporal } from 'temporal-polyfill';

/** The moment when clocks in a zone show a time, so many days after a moment's day there: `wallMoment(now, [5, '09:00'], 'Europe/Paris')`. */
export function wallMoment(now: Date, [days, time]: readonly [days: number, time: string], zone: string): Date {
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone).toPlainDate();
  const moment = today.add({ days }).toPlainDateTime(Temporal.PlainTime.from(time)).toZonedDateTime(zone);
  return new Date(moment.epochMilliseconds);
}
