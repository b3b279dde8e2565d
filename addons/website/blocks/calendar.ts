import { app, block, type Ctx, type Id, z } from 'pergola';
import { isSameTime, spanTexts, zoneName } from 'pergola/zones';
import { ASPECT_RATIO, type ViewName } from '../calendar/constants.ts';
import { type CalendarEntry, CalendarEvent } from '../calendar/models/calendar-event.ts';
import { wireTime } from '../calendar/wire-time.ts';
import { DAY } from '../services/durations.ts';
import type { Snippet } from '../snippets/point.ts';
import { t } from '../texts.ts';

/** Days ahead, and maximum lines, of the list of upcoming events. */
const AHEAD = 120;
const LINES = 12;

const options = z.object({
  /** Contact whose calendar is shown; all contacts by default. */
  contact: z.number().int().positive().optional().meta({ title: 'Contact', records: 'res.partner', none: 'Everyone' }),
  /** Initial view. */
  view: z
    .enum(['month', 'agendaWeek', 'agendaDay'] satisfies ViewName[])
    .default('month')
    .meta({
      title: 'Default view',
      labels: [
        { value: 'month', label: 'Month' },
        { value: 'agendaWeek', label: 'Week' },
        { value: 'agendaDay', label: 'Day' },
      ],
    }),
});

/** Calendar of events: a list without JavaScript, a calendar with it. */
export const calendarBlock = block('website.calendar', {
  label: 'Calendar',
  options,
  template: 'website.calendar',
  load: async (ctx, { contact, view }) => ({
    ratio: ASPECT_RATIO,
    contact: contact ?? '',
    props: { contact: contact ?? null, view, coming: await comingEvents(ctx, contact ?? null) },
  }),
});

export const calendarSnippet: readonly Snippet[] = [
  {
    id: 'website.calendar',
    label: 'Calendar',
    tab: 'dynamic',
    thumbnail: '/website/static/snippets/calendar.svg',
    block: 'website.calendar',
  },
];

/** Event in the list, with times in the zone of its place. */
export interface ComingEvent {
  readonly id: string;
  readonly title: string;
  readonly start: string;
  readonly day: string;
  readonly month: string;
  readonly when: string;
  /** IANA zone of the event, and its name if it differs from the site's zone; null for all-day events. */
  readonly timezone: string | null;
  readonly zone: string | null;
  readonly color: number;
  readonly location: string | null;
  readonly url: string | null;
}

async function comingEvents(ctx: Ctx, contact: Id | null): Promise<ComingEvent[]> {
  const now = ctx.now();
  const entries = await ctx.model(CalendarEvent).eventsFor(contact, now, now.plus(AHEAD * DAY), LINES);
  return entries.map((entry) => ({
    id: String(entry.id),
    title: entry.title,
    start: wireTime(entry.start),
    ...textsOf(ctx, entry),
    color: entry.color,
    location: entry.location,
    url: entry.url,
  }));
}

/** Days of all-day events are the same in every zone. */
function textsOf(
  ctx: Ctx,
  { start, end, allDay, timezone = ctx.siteTimezone }: CalendarEntry,
): Pick<ComingEvent, 'day' | 'month' | 'when' | 'timezone' | 'zone'> {
  const formats = ctx.get(app.formats);
  const formatFor = (zone: string, options: Intl.DateTimeFormatOptions) => formats.dateFormat(zone, ctx.lang, options);
  const zone = allDay ? 'UTC' : timezone;
  const day = { weekday: 'long', day: 'numeric', month: 'long' } as const;
  const last = end !== null && allDay ? new Date(end.getTime() - DAY) : (end ?? start);
  const isHere = allDay || isSameTime(timezone, ctx.siteTimezone, start, last);
  return {
    day: formatFor(zone, { day: 'numeric' }).format(start),
    month: formatFor(zone, { month: 'short' }).format(start),
    when: allDay ? formatFor(zone, day).formatRange(start, last) : spanTexts({ start, end, zone }, formatFor, day).text,
    timezone: allDay ? null : timezone,
    zone: isHere ? null : zoneName(timezone, (text, params) => t(ctx, text, params)),
  };
}
