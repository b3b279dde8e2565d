import { SaleOrder } from '#addons/sale';
import { Conflict, type Ctx, type Id, isEmailAddress, NotFound, redirect, route, z } from '#core';
import { EventEvent } from '../models/event-event.ts';
import { EventTicket } from '../models/event-event-ticket.ts';
import { EventWaiting } from '../models/event-waiting.ts';
import { buyerCart } from '../services/cart.ts';
import { whenOf } from '../services/event-dates.ts';
import { factsOf } from '../services/event-facts.ts';
import { saleTimes } from '../services/sale-times.ts';
import { seatsOf } from '../services/seats.ts';
import { saleState, ticketState } from '../services/ticket-sales.ts';
import { joinWaiting, waitingIn } from '../services/waiting-list.ts';

const line = /^[^\p{Cc}]*$/u;

/** Puts a visitor on the list for a ticket that is sold out. */
export const joinList = route.form(
  '/event/waiting/join',
  {
    name: 'website_event.join_waiting',
    writes: true,
    rate: [
      { calls: 10, seconds: 3600, by: 'ip', name: 'website_event.waiting' },
      { calls: 500, seconds: 3600, by: () => 'all', name: 'website_event.waiting_all' },
    ],
    body: z.object({
      ticket: z.coerce.number().int().positive(),
      name: z
        .string()
        .trim()
        .min(1, 'Please tell us your name.')
        .max(120, 'This is too long.')
        .regex(line, 'This cannot be read as a name.'),
      email: z.string().trim().refine(isEmailAddress, 'Please give an e-mail address we can write to.'),
      quantity: z.coerce.number().int().min(1).max(9).catch(1),
    }),
    invalid: ({ render, values, errors, message, ctx }) =>
      render(
        'website_event.waiting_join',
        { title: ctx.t('Waiting list'), values, errors, message, noindex: true },
        { status: 422 },
      ),
  },
  async ({ ctx, body, url }) => {
    const [ticket] = await ctx
      .model(EventTicket)
      .read([body.ticket], { select: { event_id: { website_url: true, state: true } } });
    const event = ticket?.event_id;
    if (!ticket || !event) throw new NotFound('There is no such ticket.', { code: 'website_event.no_ticket' });
    const seats = (await seatsOf(ctx, [event.id])).get(event.id)?.tickets.get(ticket.id);
    const state = saleState(event, [ticketState(await saleTimes(ctx, [event.id]), event.id, ticket.id, seats)]);
    if (state === 'closed' || state === 'over') {
      throw new Conflict('Tickets for this event are no longer sold.', { code: 'website_event.no_longer' });
    }
    if (state !== 'sold_out') {
      throw new Conflict('There are tickets: you need not wait.', { code: 'website_event.need_not_wait' });
    }
    await joinWaiting(ctx, body);
    return redirect(url(`${event.website_url}/register?note=waiting`));
  },
);

const params = { token: z.string().max(100) };

/** Somebody's own place on a list, for whoever has its address. */
export const waitingPage = route.page(
  '/event/waiting/:token',
  { name: 'website_event.waiting', params, cache: false },
  async ({ ctx, params, render }) =>
    render('website_event.waiting', await placeOf(ctx, waitingIn(ctx, params.token), params.token)),
);

/** Puts the seats that are offered into the cart of whoever takes them. */
export const takeOffer = route.form(
  '/event/waiting/:token/claim',
  { name: 'website_event.take_offer', writes: true, params, body: z.object({}) },
  async ({ ctx, params, url }) => {
    const id = waitingIn(ctx, params.token);
    // Whoever has the address owns the place.
    const list = ctx.sudo().model(EventWaiting);
    const select = {
      state: true,
      offered_until: true,
      quantity: true,
      event_id: true,
      event_ticket_id: { product_id: true },
    } as const;
    const { event_id } = await list.get(id, { select: { event_id: true } });
    const cart = await buyerCart(ctx);
    // The order first, then the event, as everybody locks them.
    await ctx.lock(SaleOrder, [cart.id]);
    await ctx.lock(EventEvent, [event_id]);
    const place = await list.get(id, { select });
    const ticket = place.event_ticket_id;
    const holds = place.state === 'offered' && place.offered_until !== null && place.offered_until > ctx.now();
    if (!holds || !ticket) {
      throw new Conflict('These seats are no longer kept for you.', { code: 'website_event.offer_over' });
    }
    // First the offer ends, then the cart holds the seats: both or neither.
    await list.write(id, { state: 'claimed' });
    await cart.put({ product: ticket.product_id, add: place.quantity, extra: { event_ticket_id: ticket.id } });
    return redirect(url('/shop/cart'));
  },
);

/** Gives a place on the list up. */
export const leaveList = route.form(
  '/event/waiting/:token/leave',
  { name: 'website_event.leave_waiting', writes: true, params, body: z.object({}) },
  async ({ ctx, params, url }) => {
    const id = waitingIn(ctx, params.token);
    // Whoever has the address owns the place.
    const list = ctx.sudo().model(EventWaiting);
    const open = await list.search([
      ['id', '=', id],
      ['state', 'in', ['waiting', 'offered']],
    ]);
    await list.write(open, { state: 'left' });
    return redirect(url(`/event/waiting/${params.token}`));
  },
);

async function placeOf(ctx: Ctx, id: Id, token: string) {
  // Whoever has the address owns the place.
  const system = ctx.sudo();
  const [place] = await system.model(EventWaiting).read([id], {
    select: {
      state: true,
      offered_until: true,
      quantity: true,
      event_id: { date_tz: true },
      event_ticket_id: { name: true },
    },
  });
  if (!place?.event_id) throw new NotFound('There is no such page.', { code: 'core.no_such_page' });
  const before = await system.model(EventWaiting).count([
    ['event_ticket_id', '=', place.event_ticket_id?.id ?? 0],
    ['state', '=', 'waiting'],
    ['id', '<', id],
  ]);
  const until = place.offered_until;
  const offered = place.state === 'offered' && until !== null && until > ctx.now();
  return {
    title: ctx.t('Waiting list'),
    noindex: true,
    token,
    facts: await factsOf(ctx, place.event_id.id, ctx.lang),
    ticket: place.event_ticket_id?.name ?? '',
    seats: place.quantity,
    before,
    waiting: place.state === 'waiting',
    offered,
    taken: place.state === 'claimed',
    left: place.state === 'left',
    until:
      offered && until
        ? whenOf(ctx, { date_begin: until, date_end: until, date_tz: place.event_id.date_tz }).zoned
        : null,
  };
}
