import { type Ctx, type Id, NotFound } from 'pergola';
import { EventEvent } from '../models/event-event.ts';
import { ticketTitle } from '../models/event-event-ticket.ts';
import { EventWaiting } from '../models/event-waiting.ts';
import { whenOf } from '../services/event-dates.ts';
import { isPaused } from '../services/on-sale.ts';
import { isLive } from '../services/waiting-offers.ts';
import { t } from '../texts.ts';

/** Page of a waiting list entry. */
export async function waitingPlace(ctx: Ctx, id: Id, token: string) {
  // The link is only known to the owner.
  const system = ctx.sudo();
  const [place] = await system.model(EventWaiting).read([id], {
    select: {
      state: true,
      offered_until: true,
      quantity: true,
      event_id: { name: true, date_tz: true, state: true, website_published: true },
      event_ticket_id: { name: true },
    },
  });
  if (!place?.event_id) throw new NotFound('We can’t find that page.', { code: 'core.no_such_page' });
  const waitingAhead = await system.model(EventWaiting).count([
    ['event_ticket_id', '=', place.event_ticket_id?.id ?? 0],
    ['state', '=', 'waiting'],
    ['id', '<', id],
  ]);
  const until = place.offered_until;
  const holds = isLive(ctx, until);
  const paused = isPaused(place.event_id) && (place.state === 'waiting' || place.state === 'offered');
  const isOffered = place.state === 'offered' && holds && !paused;
  return {
    title: t(ctx, 'Waiting list'),
    noindex: true,
    token,
    facts: await ctx.model(EventEvent).facts(place.event_id.id),
    ticket: ticketTitle(ctx, place.event_id.name, place.event_ticket_id?.name ?? ''),
    seats: place.quantity,
    before: waitingAhead,
    paused,
    waiting: place.state === 'waiting' || paused,
    offered: isOffered,
    taken: place.state === 'claimed',
    left: place.state === 'left',
    closed: place.state === 'closed',
    cancelled: place.state === 'cancelled',
    until:
      until && holds
        ? whenOf(ctx, { date_begin: until, date_end: until, date_tz: place.event_id.date_tz }).zoned
        : null,
  };
}
