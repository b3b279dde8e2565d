import { type CalendarEntry, CalendarEvent, MOST_EVENTS, onWebsite } from '@pergola/website';
import { extend, type Id } from 'pergola';
import { placesOf } from '../services/places.ts';
import { EventEvent } from './event-event.ts';

/** Shows ticketed events in the calendars of their organiser and of their venue. */
export const TicketedCalendar = extend(
  CalendarEvent,
  {},
  (Base) =>
    class extends Base {
      override async eventsFor(
        contact: Id | null,
        from: Date,
        to: Date,
        limit = MOST_EVENTS,
      ): Promise<CalendarEntry[]> {
        const entries = [
          ...(await super.eventsFor(contact, from, to, limit)),
          ...(await this.#ticketed(contact, from, to, limit)),
        ];
        return entries.sort((a, b) => a.start.getTime() - b.start.getTime()).slice(0, limit);
      }

      async #ticketed(contact: Id | null, from: Date, to: Date, limit: number): Promise<CalendarEntry[]> {
        const rows = await this.ctx
          .model(EventEvent)
          .find(
            [
              ['website_published', '=', true],
              ['state', '!=', 'cancel'],
              ['date_begin', '<', to],
              ['date_end', '>', from],
              ...onWebsite(this.ctx),
              ...(contact === null
                ? []
                : (['|', ['organizer_id', '=', contact], ['address_id', '=', contact]] as const)),
            ],
            {
              select: {
                name: true,
                date_begin: true,
                date_end: true,
                date_tz: true,
                organizer_id: true,
                address_id: true,
                website_url: true,
              },
              order: 'date_begin, id',
              limit,
            },
          );
        const places = await placesOf(
          this.ctx,
          rows.flatMap(({ address_id }) => address_id ?? []),
        );
        return rows.map((row) => ({
          id: `event-${row.id}`,
          title: row.name,
          start: row.date_begin,
          end: row.date_end,
          allDay: false,
          timezone: row.date_tz,
          color: ((row.id * 5) % 24) + 1,
          // Ticket holders are confidential.
          attendees: [],
          contacts: [row.organizer_id, row.address_id].filter((id) => id !== null),
          location: places.get(row.address_id ?? 0)?.short ?? null,
          url: `${row.website_url}/register`,
        }));
      }
    },
);
