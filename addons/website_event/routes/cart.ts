import { quantityFrom, SaleOrder, typedQuantity } from '@pergola/sale';
import { cartOf, countView, ensureCart } from '@pergola/website_sale';
import { type Ctx, type Id, InvalidInput, NotFound, redirect, route, z } from 'pergola';
import { EventEvent } from '../models/event-event.ts';
import { EventTicket } from '../models/event-event-ticket.ts';
import { shownSelect } from '../pages/frame.ts';
import { registerPage } from '../pages/register.ts';
import { TicketRequests } from '../services/ticket-requests.ts';

const form = z.looseObject({ event_id: z.coerce.number().int().positive().optional() });

/**
 * Adds tickets to the cart, which holds their seats, and redirects to the checkout. Without a quantity, redirects back to the event with a
 * message; the event page also reports if fewer seats were available than requested.
 */
export const cartUpdate = route.form(
  '/event/cart/update',
  {
    name: 'website_event.cart_update',
    page: ({ values: { event_id = '' } }) => `/event/${encodeURIComponent(event_id)}/register`,
    writes: true,
    body: form,
    rate: { calls: 20_000, seconds: 3600 },
  },
  async ({ ctx, body, request, render, url }) => {
    const eventId = body.event_id ?? Number(new URL(request.url, request.origin).searchParams.get('event_id'));
    if (Number.isSafeInteger(eventId)) ctx.lineUp(EventEvent, [eventId]);
    const [event] = Number.isSafeInteger(eventId)
      ? await ctx.model(EventEvent).read([eventId], { select: shownSelect })
      : [];
    if (!event) throw new NotFound('We can’t find this event.', { code: 'website_event.no_event' });
    const quantities = quantitiesIn(ctx, body);
    if (quantities.size === 0) return redirect(url(`${event.website_url}/register?note=none`));
    const { warnings, got } = await addToCart(ctx, event.id, quantities);
    if (warnings.length === 0) return redirect(url('/shop/checkout'));
    const values = await registerPage(ctx, event, { message: warnings.join(' '), done: got > 0 });
    return render('website_event.register', values, { status: got > 0 ? 200 : 409 });
  },
);

/** Reads quantities from `ticket-<id>` fields; ignores invalid numbers. */
function quantitiesIn(ctx: Ctx, fields: Readonly<Record<string, unknown>>): Map<Id, number> {
  const quantities = new Map<Id, number>();
  for (const [name, value] of Object.entries(fields)) {
    const ticket = /^ticket-([1-9]\d{0,14})$/.exec(name)?.[1];
    if (ticket === undefined) continue;
    const number = quantityFrom(typedQuantity(ctx, value));
    if (number < 0) throw new InvalidInput('Enter 0 or more tickets.', { code: 'website_event.bad_number' });
    if (number > 0) quantities.set(Number(ticket), number);
  }
  return quantities;
}

async function addToCart(
  ctx: Ctx,
  event: Id,
  quantities: ReadonlyMap<Id, number>,
): Promise<{ warnings: string[]; got: number }> {
  const tickets = await ctx
    .model(EventTicket)
    .read([...quantities.keys()], { select: { event_id: true, product_id: true } });
  if (tickets.length < quantities.size || tickets.some(({ event_id }) => event_id !== event)) {
    throw new InvalidInput('This ticket is for another event.', { code: 'website_event.other_event' });
  }
  const requests = tickets.map(({ id, product_id }) => ({
    product: product_id,
    add: quantities.get(id) ?? 0,
    extra: { event_ticket_id: id },
  }));
  const tooLate: string[] = [];
  for (const request of (await cartOf(ctx)) === null ? requests : []) {
    const text = await ctx.get(TicketRequests).soldOutText(null, request, request.add);
    if (text !== null) tooLate.push(text);
  }
  // Doesn't create a cart if all tickets are sold out.
  if (tooLate.length === requests.length) return { warnings: tooLate, got: 0 };
  const cart = await ensureCart(ctx);
  // The cart comes from the caller's session.
  const orders = ctx.sudo().model(SaleOrder);
  const warnings: string[] = [];
  let got = 0;
  for (const request of requests) {
    const { quantity, warning } = await orders.setLine(cart, request);
    if (quantity > 0) await countView(ctx, 'product_add_to_cart', { product: request.product });
    if (warning) warnings.push(warning);
    got += quantity;
  }
  return { warnings, got };
}
