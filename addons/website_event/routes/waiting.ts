import { app, type Ctx, InvalidInput, isEmailAddress, readableAddress, redirect, route, z } from 'pergola';
import { EventEvent } from '../models/event-event.ts';
import { EventWaiting } from '../models/event-waiting.ts';
import { waitingPlace } from '../pages/waiting.ts';
import { WaitingList } from '../services/waiting-list.ts';
import { t } from '../texts.ts';

const line = /^[^\p{Cc}]*$/u;

/** Adds a visitor to the waiting list of a sold-out ticket. */
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
        .min(1, 'Enter your name.')
        .max(120, 'This is too long.')
        .regex(line, 'Enter a valid name.'),
      email: z.string().trim().refine(isEmailAddress, 'Enter a valid email address.').transform(readableAddress),
      quantity: z.string().trim().max(30, 'Enter a smaller number of seats.').default(''),
    }),
    invalid: ({ render, values, errors, message, ctx }) =>
      render('website_event.waiting_join', { title: t(ctx, 'Waiting list'), values, errors, message, noindex: true }),
  },
  async ({ ctx, body, url }) => {
    const event = await ctx.get(WaitingList).join({ ...body, quantity: seatsFrom(ctx, body.quantity) });
    const { website_url } = await ctx.model(EventEvent).get(event, { select: { website_url: true } });
    return redirect(url(`${website_url}/register?note=waiting`));
  },
);

/**
 * Parses a number of seats in the visitor's language; defaults to 1 if empty.
 *
 * @throws InvalidInput for any other text
 */
function seatsFrom(ctx: Ctx, text: string): number {
  if (text === '') return 1;
  const refuse = (message: string): never => {
    throw new InvalidInput(message, { code: 'website_event.bad_seats', fields: { quantity: message } });
  };
  const reading = ctx.get(app.formats).parseNumber(text, ctx.lang, { places: 0 });
  if (reading.problem) return refuse(t(ctx, 'Enter a whole number of seats.'));
  const seats = Number(reading.value);
  if (seats < 1) return refuse(t(ctx, 'Enter at least 1 seat.'));
  return seats <= 1_000_000 ? seats : refuse(t(ctx, 'Enter a smaller number of seats.'));
}

const params = { token: z.string().max(100) };

/** Page of a waiting list entry, for its owner with the link. */
export const waitingPage = route.page(
  '/event/waiting/:token',
  { name: 'website_event.waiting', params, cache: false },
  async ({ ctx, params, render }) =>
    render('website_event.waiting', await waitingPlace(ctx, ctx.get(WaitingList).idIn(params.token), params.token)),
);

/** Adds the offered seats to the caller's cart. */
export const takeOffer = route.form(
  '/event/waiting/:token/claim',
  { name: 'website_event.take_offer', writes: true, params, body: z.object({}) },
  async ({ ctx, params, url }) => {
    const list = ctx.get(WaitingList);
    const warning = await list.take(list.idIn(params.token));
    return redirect(url(warning === null ? '/shop/cart' : '/shop/cart?note=short'));
  },
);

/** Leaves the waiting list. */
export const leaveList = route.form(
  '/event/waiting/:token/leave',
  {
    name: 'website_event.leave_waiting',
    confirm: (ctx) => ({
      question: t(ctx, 'Leave the waiting list? You’ll lose your place.'),
      yes: t(ctx, 'Leave the list'),
    }),
    writes: true,
    params,
    body: z.object({}),
  },
  async ({ ctx, params, url }) => {
    const id = ctx.get(WaitingList).idIn(params.token);
    // The link is only known to the owner.
    await ctx.sudo().model(EventWaiting).leave([id]);
    return redirect(url(`/event/waiting/${params.token}`));
  },
);
