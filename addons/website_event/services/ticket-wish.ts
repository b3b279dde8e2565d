import { SaleOrder, wholeQuantity } from '#addons/sale';
import { Conflict, type Ctx, type Id, NotFound } from '#core';
import { EventEvent } from '../models/event-event.ts';
import { EventTicket } from '../models/event-event-ticket.ts';
import { saleTimes } from './sale-times.ts';
import { seatsOf } from './seats.ts';
import { saleState, ticketState } from './ticket-sales.ts';
import { ticketTitle } from './ticket-title.ts';

/** So many of a kind of ticket that somebody wants on an order. */
export interface TicketWish {
  readonly event: Id;
  readonly ticket: Id;
  /** The order's line for it, if there is one, and how many it has. */
  readonly line: Id | null;
  readonly before: number;
  readonly wanted: number;
}

/**
 * How many of a ticket an order may have of those that are wanted. Taking some away is always right.
 *
 * @throws Conflict for tickets that are not sold (now), NotFound for those of events the caller may not see.
 */
export async function checkTicket(
  ctx: Ctx,
  order: Id,
  { ticket, event, before, wanted: asked }: TicketWish,
): Promise<{ quantity: number; warning?: string }> {
  const wanted = wholeQuantity(asked);
  if (wanted <= before) return { quantity: Math.max(0, wanted) };
  // As the caller; and what is not published is in nobody's cart, whoever puts it there for them.
  const select = { name: true, state: true, website_published: true } as const;
  const [shown] = await ctx.model(EventEvent).read([event], { select });
  const { is_cart } = await ctx.model(SaleOrder).get(order, { select: { is_cart: true } });
  if (!shown || (is_cart && !shown.website_published)) {
    throw new NotFound('There is no such ticket.', { code: 'website_event.no_ticket' });
  }
  const own = await ctx.model(EventTicket).get(ticket, { select: { name: true, order_max: true } });
  const params = { ticket: ticketTitle(ctx, shown.name, own.name) };
  const state = ticketState(await saleTimes(ctx, [event]), event, ticket, undefined);
  if (saleState(shown, [state]) === 'soon') {
    throw new Conflict('“{ticket}” is not sold yet.', { code: 'website_event.not_yet', params });
  }
  if (saleState(shown, [state]) !== 'open') {
    throw new Conflict('“{ticket}” is no longer sold.', { code: 'website_event.no_longer', params });
  }
  const most = own.order_max || wanted;
  const room = await roomFor(ctx, order, event, ticket, before);
  const quantity = Math.min(wanted, Math.max(most, before), Math.max(room, before));
  if (quantity === wanted) return { quantity };
  return { quantity, warning: warningOf(ctx, params.ticket, quantity, quantity === most) };
}

/** How many the order could have beside what others have, hold, are offered or wait for. */
async function roomFor(ctx: Ctx, order: Id, event: Id, ticket: Id, before: number): Promise<number> {
  const seats = (await seatsOf(ctx, [event], { order })).get(event);
  const own = seats?.tickets.get(ticket);
  if (!own || own.available === null) return Number.POSITIVE_INFINITY;
  // Other tickets of the same order take seats of the event too; the hold that follows counts them exactly.
  return Math.max(own.available, before);
}

function warningOf(ctx: Ctx, name: string, quantity: number, byOrder: boolean): string {
  if (byOrder)
    return ctx.plural('Only {n} of “{name}” in one order.', 'Only {n} of “{name}” in one order.', quantity, { name });
  return quantity > 0
    ? ctx.plural('Only {n} left of “{name}”.', 'Only {n} left of “{name}”.', quantity, { name })
    : ctx.t('“{name}” is sold out.', { name });
}
