import { type LineRequest, SaleOrder, SaleOrderLine, Stock, shortText, wholeQuantity } from '#addons/sale';
import { Conflict, type Ctx, type Id, NotFound } from '#core';
import { EventTicket } from '../models/event-event-ticket.ts';
import { EventWaiting } from '../models/event-waiting.ts';
import { mostPerOrder } from '../settings.ts';
import { seatsOf } from './seats.ts';
import { ticketTitle } from './ticket-title.ts';

const select = {
  name: true,
  order_max: true,
  sale_start: true,
  deadline: true,
  event_id: { name: true, state: true, date_end: true, website_published: true },
} as const;

/** So many of a kind of ticket that somebody wants on an order. */
export interface TicketWish {
  readonly event: Id;
  readonly ticket: Id;
  /** The order's line for it, if there is one, and how many it has. */
  readonly line: Id | null;
  /** Whether the order has lines. */
  readonly others: boolean;
  readonly before: number;
  readonly wanted: number;
}

/**
 * How many of a ticket one order may have of those that are wanted, whatever is left of them. Taking some away is always right.
 *
 * @throws Conflict for tickets that are not sold (now), NotFound for those of events the caller may not see.
 */
export async function mostOf(ctx: Ctx, order: Id, { ticket, before, wanted: asked }: TicketWish): Promise<number> {
  const wanted = wholeQuantity(asked);
  if (wanted <= before) return Math.max(0, wanted);
  // As the caller; and what is not published is in nobody's cart, whoever puts it there for them.
  const [own] = await ctx.model(EventTicket).read([ticket], { select });
  const shown = own?.event_id;
  const { is_cart } = await ctx.model(SaleOrder).get(order, { select: { is_cart: true } });
  if (!own || !shown || (is_cart && !shown.website_published)) {
    throw new NotFound('There is no such ticket.', { code: 'website_event.no_ticket' });
  }
  const params = { ticket: ticketTitle(ctx, shown.name, own.name) };
  const now = ctx.now();
  const over = shown.date_end <= now || (own.deadline !== null && own.deadline <= now);
  if (shown.state !== 'confirm' || over) {
    throw new Conflict('“{ticket}” is no longer sold.', { code: 'website_event.no_longer', params });
  }
  if (own.sale_start !== null && own.sale_start > now) {
    throw new Conflict('“{ticket}” is not sold yet.', { code: 'website_event.not_yet', params });
  }
  return Math.min(wanted, Math.max(await mostPerOrder(ctx, own.order_max), before));
}

/** What to tell whoever comes when none is left; null while there are some. Nothing is locked, so some may be gone a moment later. */
export async function soldOutText(ctx: Ctx, request: LineRequest, quantity: number): Promise<string | null> {
  // How many are left is nobody's secret.
  const system = ctx.sudo();
  const needs = await system.model(SaleOrderLine).wants(request, quantity, null);
  const short = await system.get(Stock).shortages(needs, { locked: false });
  return short.some(({ left }) => left <= 0) ? shortText(ctx, short) : null;
}

/** How many an order gets of the `most` it may have, beside those who wait for seats. Needs the lock of the event. */
export async function checkTicket(
  ctx: Ctx,
  order: Id,
  { ticket, event, before, wanted: asked }: TicketWish,
  most: number,
): Promise<{ quantity: number; warning?: string }> {
  const wanted = wholeQuantity(asked);
  if (wanted <= before) return { quantity: most };
  const quantity = Math.min(most, await roomFor(ctx, order, event, ticket, before));
  if (quantity === wanted) return { quantity };
  const [own] = await ctx.model(EventTicket).read([ticket], { select });
  const name = ticketTitle(ctx, own?.event_id?.name ?? '', own?.name ?? '');
  return { quantity, warning: warningOf(ctx, name, quantity, quantity === most) };
}

/** How many the order could have beside those who wait for seats of the event; how many are left at all is counted when they are held. */
async function roomFor(ctx: Ctx, order: Id, event: Id, ticket: Id, before: number): Promise<number> {
  // Whether somebody waits is nobody's secret; who, is.
  const waiting = await ctx
    .sudo()
    .model(EventWaiting)
    .count([
      ['event_id', '=', event],
      ['state', '=', 'waiting'],
    ]);
  if (waiting === 0) return Number.POSITIVE_INFINITY;
  const seats = (await seatsOf(ctx, [event], { order })).get(event);
  return Math.max(seats?.tickets.get(ticket)?.available ?? Number.POSITIVE_INFINITY, before);
}

function warningOf(ctx: Ctx, name: string, quantity: number, byOrder: boolean): string {
  if (byOrder)
    return ctx.plural('Only {n} of “{name}” in one order.', 'Only {n} of “{name}” in one order.', quantity, { name });
  return quantity > 0
    ? ctx.plural('Only {n} left of “{name}”.', 'Only {n} left of “{name}”.', quantity, { name })
    : ctx.t('“{name}” is sold out.', { name });
}
