import { type Id, InvalidInput, route, z } from 'pergola';
import { DEFAULT_MINUTES, LONGEST_RANGE_DAYS } from '../calendar/constants.ts';
import { type CalendarEntry, CalendarEvent } from '../calendar/models/calendar-event.ts';
import { wireTime } from '../calendar/wire-time.ts';
import { MINUTE } from '../services/durations.ts';

/** Seconds since 1970, up to the year 9999. */
const seconds = z.coerce.number().int().min(0).max(253_402_300_799);
const DAY_SECONDS = 24 * 3600;

/** Response for the calendar in the browser. Times are UTC; all-day events have dates without a zone. */
export interface CalendarAnswer {
  readonly events: readonly {
    readonly id: Id | string;
    readonly title: string;
    readonly start: string;
    /** For events without an end, the end as displayed. */
    readonly end: string;
    readonly allDay: boolean;
    /** IANA zone of the event. */
    readonly timezone: string;
    readonly color: number;
    readonly attendees: readonly { readonly id: Id; readonly name: string }[];
    readonly location?: string;
    readonly url?: string;
  }[];
  /** Calendars that contain the event, the main contact first. */
  readonly contacts: readonly Id[];
}

/** Events in a range, of one contact's calendar or of all, under the visitor's access rights. */
export const getEvents = route.json(
  '/calendar_block/get_events/:start/:end',
  {
    name: 'website.get_events',
    params: { start: seconds, end: seconds },
    query: z.object({ contact: z.coerce.number().int().positive().optional() }),
  },
  async ({ ctx, params: { start, end }, query: { contact }, url }): Promise<CalendarAnswer> => {
    if (end <= start || end - start > LONGEST_RANGE_DAYS * DAY_SECONDS) {
      throw new InvalidInput('The end must come after the start, at most {days} days later.', {
        code: 'website.bad_range',
        params: { days: LONGEST_RANGE_DAYS },
      });
    }
    const entries = await ctx
      .model(CalendarEvent)
      .eventsFor(contact ?? null, new Date(start * 1000), new Date(end * 1000));
    const contacts = new Set([
      ...(contact === undefined ? [] : [contact]),
      ...entries.flatMap((entry) => entry.contacts),
    ]);
    return {
      events: entries.map((entry) => onTheWire({ timezone: ctx.siteTimezone, ...entry }, url)),
      contacts: [...contacts],
    };
  },
);

/** Displayed end of an event without one: after two hours, or midnight for all-day events. */
function displayedEnd(start: Date, allDay: boolean): Date {
  const minutes = allDay ? DAY_SECONDS / 60 : DEFAULT_MINUTES;
  return new Date(start.getTime() + minutes * MINUTE);
}

function onTheWire(
  {
    id,
    title,
    start,
    end,
    allDay,
    timezone,
    color,
    attendees,
    location,
    url: path,
  }: CalendarEntry & { readonly timezone: string },
  url: (path: string) => string,
): CalendarAnswer['events'][number] {
  return {
    id,
    title,
    start: wireTime(start),
    end: wireTime(end ?? displayedEnd(start, allDay)),
    allDay,
    timezone,
    color,
    attendees,
    ...(location ? { location } : {}),
    ...(path ? { url: url(path) } : {}),
  };
}
