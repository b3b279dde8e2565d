import icalendar, { type ICalCalendar, ICalCalendarMethod, ICalEventStatus } from 'ical-generator';
import { calendarReply, originOf } from '#addons/website';
import { type Ctx, route } from '#core';
import { eventParam, frameOf, type ShownEvent } from '../pages/frame.ts';

/** An event for the visitor's own calendar. */
export const ics = route.http(
  '/event/:event/ics',
  { name: 'website_event.ics', method: 'GET', multilang: true, params: { event: eventParam } },
  async ({ ctx, params: { event }, url }) => {
    const calendar = await calendarOf(ctx, event, url);
    const name = event.website_url?.split('/').at(-1) ?? 'event';
    return calendarReply(calendar, name);
  },
);

async function calendarOf(ctx: Ctx, event: ShownEvent, url: (path: string) => string): Promise<ICalCalendar> {
  const { place, organizer } = await frameOf(ctx, event, 'ics');
  const site = ctx.attributes.website;
  const origin = originOf(ctx, site);
  const calendar = icalendar({
    name: site?.name ?? 'Pergola',
    method: ICalCalendarMethod.PUBLISH,
    prodId: { company: 'Pergola', product: 'website_event' },
  });
  calendar.createEvent({
    // The same for every download, so that a calendar replaces what it has.
    id: `event-${event.id}@${new URL(origin).hostname}`,
    stamp: event.write_date,
    start: event.date_begin,
    end: event.date_end,
    summary: event.name,
    description: event.summary,
    location: place ? { title: [place.name, ...place.lines].join(', ') } : null,
    url: origin + url(`${event.website_url}/register`),
    status: event.state === 'cancel' ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    // A calendar wants an address with every name.
    ...(organizer && site?.company.email ? { organizer: { name: organizer, email: site.company.email } } : {}),
  });
  return calendar;
}
