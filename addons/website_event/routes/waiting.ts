import { Conflict, isEmailAddress, NotFound, redirect, route, z } from '#core';
import { EventTicket } from '../models/event-event-ticket.ts';
import { EventWaiting } from '../models/event-waiting.ts';
import { waitingPlace } from '../pages/waiting.ts';
import { Seats } from '../services/seats.ts';
import { saleState, ticketState } from '../services/ticket-sales.ts';
import { WaitingList } from '../services/waiting-list.ts';

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
    const [ticket] = await ctx.model(EventTicket).read([body.ticket], {
      select: { sale_start: true, deadline: true, event_id: { website_url: true, state: true, date_end: true } },
    });
    const event = ticket?.event_id;
    if (!ticket || !event) throw new NotFound('There is no such ticket.', { code: 'website_event.no_ticket' });
    const seats = (await ctx.get(Seats).of([event.id])).get(event.id)?.tickets.get(ticket.id);
    const state = saleState(event, [ticketState(ctx, event, ticket, seats)]);
    if (state === 'closed' || state === 'over') {
      throw new Conflict('Tickets for this event are no longer sold.', { code: 'website_event.no_longer' });
    }
    if (state !== 'sold_out') {
      throw new Conflict('There are tickets: you need not wait.', { code: 'website_event.need_not_wait' });
    }
    await ctx.get(WaitingList).join(body);
    return redirect(url(`${event.website_url}/register?note=waiting`));
  },
);

const params = { token: z.string().max(100) };

/** Somebody's own place on a list, for whoever has its address. */
export const waitingPage = route.page(
  '/event/waiting/:token',
  { name: 'website_event.waiting', params, cache: false },
  async ({ ctx, params, render }) =>
    render('website_event.waiting', await waitingPlace(ctx, ctx.get(WaitingList).idIn(params.token), params.token)),
);

/** Puts the seats that are offered into the cart of whoever takes them. */
export const takeOffer = route.form(
  '/event/waiting/:token/claim',
  { name: 'website_event.take_offer', writes: true, params, body: z.object({}) },
  async ({ ctx, params, url }) => {
    const list = ctx.get(WaitingList);
    await list.take(list.idIn(params.token));
    return redirect(url('/shop/cart'));
  },
);

/** Gives a place on the list up. */
export const leaveList = route.form(
  '/event/waiting/:token/leave',
  { name: 'website_event.leave_waiting', writes: true, params, body: z.object({}) },
  async ({ ctx, params, url }) => {
    const id = ctx.get(WaitingList).idIn(params.token);
    // Whoever has the address owns the place.
    await ctx.sudo().model(EventWaiting).leave([id]);
    return redirect(url(`/event/waiting/${params.token}`));
  },
);
