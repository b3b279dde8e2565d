import { type Ctx, type Id, NotFound, signText, TooMany, verifyText } from '#core';
import { type WaitingValues, waitingJoined, waitingOffer } from '../mails.ts';
import { EventEvent } from '../models/event-event.ts';
import { EventTicket } from '../models/event-event-ticket.ts';
import { EventWaiting } from '../models/event-waiting.ts';
import { offerHours } from '../settings.ts';
import { whenOf } from './event-dates.ts';
import { factsOf } from './event-facts.ts';
import { seatsOf } from './seats.ts';

const purpose = 'website_event.waiting';
const hour = 3600_000;

/** The address of somebody's own place on a list; whoever has it owns the place. */
export function waitingPath(ctx: Ctx, id: Id): string {
  return `/event/waiting/${id}-${signText(ctx.config.sessionSecret, purpose, String(id))}`;
}

/** The place behind such an address; the same answer for a wrong one and for none. */
export function waitingIn(ctx: Ctx, token: string): Id {
  const [, id = '', signature = ''] = /^(\d{1,15})-([\w-]{43})$/.exec(token) ?? [];
  if (id === '' || !verifyText(ctx.config.sessionSecret, purpose, id, signature)) {
    throw new NotFound('There is no such page.', { code: 'core.no_such_page' });
  }
  return Number(id);
}

export interface WaitingWish {
  readonly ticket: Id;
  readonly name: string;
  readonly email: string;
  readonly quantity: number;
}

/**
 * Puts somebody on the list for a ticket, at its end; who is on it already keeps the place, with the new number of seats. The answer does not tell
 * which.
 */
export async function joinWaiting(ctx: Ctx, { ticket, name, email, quantity }: WaitingWish): Promise<{ event: Id }> {
  const { event_id } = await ctx.model(EventTicket).get(ticket, { select: { event_id: true } });
  await ctx.lock(EventEvent, [event_id]);
  // Visitors may neither read nor write the list; this adds their own place to it.
  const list = ctx.sudo().model(EventWaiting);
  const [known] = await list.search(
    [
      ['event_ticket_id', '=', ticket],
      ['email', '=', email],
      ['state', 'in', ['waiting', 'offered']],
    ],
    { limit: 1 },
  );
  if (known === undefined) {
    const id = await list.create({ event_id, event_ticket_id: ticket, name, email, quantity, lang: ctx.lang });
    await tell(ctx, id, 'joined');
  } else {
    const [{ state } = { state: 'offered' }] = await list.read([known], { select: { state: true } });
    if (state === 'waiting') await list.write(known, { quantity });
  }
  return { event: event_id };
}

/** Offers the free seats of an event to those who wait, the first first; offers that nobody took are over. Answers how many were made. */
export async function offerSeats(ctx: Ctx, event: Id): Promise<number> {
  await ctx.lock(EventEvent, [event]);
  // The list is nobody's to read but the organisers'; offering goes by its order alone.
  const system = ctx.sudo();
  const list = system.model(EventWaiting);
  const late = await list.search([
    ['event_id', '=', event],
    ['state', '=', 'offered'],
    ['offered_until', '<=', ctx.now()],
  ]);
  if (late.length > 0) await list.write(late, { state: 'expired' });
  const { state, date_end } = await system.model(EventEvent).get(event, { select: { state: true, date_end: true } });
  if (state !== 'confirm' || date_end <= ctx.now()) return 0;
  const until = new Date(
    Math.min(ctx.now().getTime() + (await ctx.settings.get(offerHours)) * hour, date_end.getTime()),
  );
  const waiting = await list.find(
    [
      ['event_id', '=', event],
      ['state', '=', 'waiting'],
    ],
    { select: { event_ticket_id: true, quantity: true }, order: 'id', limit: 500 },
  );
  let made = 0;
  for (const { id, event_ticket_id, quantity } of waiting) {
    // Worked out anew for each: an offer takes from every ticket of the event.
    const free = (await seatsOf(ctx, [event])).get(event)?.tickets.get(event_ticket_id)?.free ?? quantity;
    const seats = Math.min(free, quantity);
    if (seats < 1) continue;
    await list.write(id, { state: 'offered', offered_until: until, quantity: seats });
    await tell(ctx, id, 'offer');
    made += 1;
  }
  return made;
}

async function tell(ctx: Ctx, id: Id, what: 'joined' | 'offer'): Promise<void> {
  const place = await ctx
    .sudo()
    .model(EventWaiting)
    .get(id, {
      select: {
        name: true,
        email: true,
        lang: true,
        quantity: true,
        offered_until: true,
        event_id: true,
        event_ticket_id: true,
      },
    });
  const lang = place.lang ?? ctx.lang;
  try {
    await ctx.mail.send(what === 'joined' ? waitingJoined : waitingOffer, {
      to: { email: place.email, name: place.name, lang },
      values: await valuesOf(ctx, id, place, lang),
    });
  } catch (error) {
    // An address that gets too many mails is told by its page.
    if (!(error instanceof TooMany)) throw error;
  }
}

interface Told {
  readonly name: string;
  readonly quantity: number;
  readonly offered_until: Date | null;
  readonly event_id: Id;
  readonly event_ticket_id: Id;
}

async function valuesOf(ctx: Ctx, id: Id, place: Told, lang: string): Promise<WaitingValues> {
  const system = ctx.sudo().as({ lang });
  const { name } = await system.model(EventTicket).get(place.event_ticket_id, { select: { name: true } });
  const { date_tz } = await system.model(EventEvent).get(place.event_id, { select: { date_tz: true } });
  const until = place.offered_until;
  return {
    ...(await factsOf(ctx, place.event_id, lang)),
    name: place.name,
    ticket: name,
    seats: place.quantity,
    own: waitingPath(ctx, id),
    until: until ? whenOf(system, { date_begin: until, date_end: until, date_tz }).zoned : '',
  };
}
