import { lackingTax } from '@pergola/sale';
import { figure, type WidgetContent, widget } from '@pergola/web';
import type { Ctx, RawDomain } from 'pergola';
import { EventEvent } from './models/event-event.ts';
import { EventTicket } from './models/event-event-ticket.ts';
import { EventRegistration } from './models/event-registration.ts';
import { whenOf } from './services/event-dates.ts';
import { t } from './texts.ts';

/** Number of upcoming events shown. */
const NEXT = 5;

export const widgets = [
  widget('website_event.next', {
    label: 'Upcoming events',
    icon: 'calendar-event',
    groups: ['website_event.group_event_user'],
    models: [EventEvent],
    figures: [
      figure(EventRegistration, {
        label: 'Cancellation requests',
        menu: 'website_event.menu_registrations',
        filter: 'asked',
        urgent: true,
      }),
      figure(EventTicket, {
        label: 'Tickets sold without tax',
        menu: 'website_event.menu_tickets',
        domain: untaxedTickets,
        urgent: true,
      }),
    ],
    load: nextEvents,
  }),
];

/** Paid tickets of published events whose product has no tax although its company has a default one. */
async function untaxedTickets(ctx: Ctx): Promise<RawDomain> {
  return [
    ['event_id.website_published', '=', true],
    ['event_id.state', '!=', 'cancel'],
    ['event_id.date_end', '>=', ctx.now()],
    ['price', '>', 0],
    ...(await lackingTax(ctx, 'product_id.product_tmpl_id.')),
  ];
}

/** Upcoming events with their attendees and remaining seats. */
async function nextEvents(ctx: Ctx): Promise<WidgetContent> {
  const rows = await ctx.model(EventEvent).find(
    [
      ['date_end', '>=', ctx.now()],
      ['state', 'in', ['draft', 'confirm']],
    ],
    {
      select: { name: true, date_begin: true, date_end: true, date_tz: true, seats_reserved: true, seats_left: true },
      order: 'date_begin, id',
      limit: NEXT,
    },
  );
  return {
    lines: rows.map(({ id, name, seats_reserved, seats_left, ...moments }) => ({
      label: name,
      note: t(ctx, '{day} · registered: {taken} · seats left: {left}', {
        day: whenOf(ctx, moments).shortZoned,
        taken: seats_reserved ?? 0,
        left: seats_left ?? '',
      }),
      to: { model: 'event.event', id, menu: 'website_event.menu_events' },
    })),
  };
}
