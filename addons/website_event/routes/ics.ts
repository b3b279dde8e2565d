import { calendarReply, originOf } from '@pergola/website';
import icalendar, { type ICalCalendar, ICalCalendarMethod, ICalEventStatus } from 'ical-generator';
import { type Ctx, route, z } from 'pergola';
import { EventEvent } from '../models/event-event.ts';
import { eventParam, frameOf, type ShownEvent, shownSelect } from '../pages/frame.ts';
import { t } from '../texts.ts';
import { validTicket } from './tickets.ts';

/** Calendar file of an event. */
export const ics = route.http(
  '/event/:event/ics',
  { name: 'website_event.ics', method: 'GET', multilang: true, params: { event: eventParam } },
  async ({ ctx, params: { event }, url }) => {
    const calendar = await calendarOf(ctx, event, url);
    const name = event.website_url?.split('/').at(-1) ?? 'event';
    return calendarReply(calendar, name);
  },
);

/** Calendar file for a ticket holder, with the link to join online. */
export const ticketIcs = route.http(
  '/event/ticket/:id/:signature/ics',
  {
    name: 'website_event.ticket_ics',
    method: 'GET',
    multilang: true,
    params: { id: z.coerce.number().int().min(1).max(2_147_483_647), signature: z.string().max(100) },
  },
  async ({ ctx, params, url }) => {
    const { event_id } = await validTicket(ctx, params);
    // Ticket holders can see the event even if it isn't published.
    const model = ctx.sudo().model(EventEvent);
    const event = await model.get(event_id, { select: shownSelect });
    const { online } = await model.facts(event_id);
    const join = online?.url ? t(ctx, 'Join online: {url}', { url: online.url }) : null;
    return calendarReply(await calendarOf(ctx, event, url, join), `ticket-${params.id}`);
  },
);

async function calendarOf(
  ctx: Ctx,
  event: ShownEvent,
  url: (path: string) => string,
  join: string | null = null,
): Promise<ICalCalendar> {
  const { place, organizer, when: dates } = await frameOf(ctx, event, 'ics');
  const site = ctx.attributes.website;
  const origin = originOf(ctx, site);
  const calendar = icalendar({
    name: site?.name ?? 'Pergola',
    method: ICalCalendarMethod.PUBLISH,
    prodId: { company: 'Pergola', product: 'website_event' },
  });
  calendar.createEvent({
    // Stable for all downloads, so calendars update their existing entry.
    id: `event-${event.id}@${new URL(origin).hostname}`,
    sequence: event.calendar_sequence ?? 0,
    stamp: event.write_date,
    start: event.date_begin,
    end: event.date_end,
    summary: event.name,
    // Calendars show the start in the reader's time zone; the description includes the local time at the venue.
    description: [dates.zoned, join, event.summary].filter(Boolean).join('\n\n'),
    location: place ? { title: [place.name, ...place.lines].join(', ') } : null,
    url: origin + url(`${event.website_url}/register`),
    status: event.state === 'cancel' ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    // iCalendar requires an email address for the organiser.
    ...(organizer && site?.company.email ? { organizer: { name: organizer, email: site.company.email } } : {}),
  });
  return calendar;
}
