import type { Ctx } from 'pergola';
import type { TakenSeats } from './seats.ts';

/** Event fields that determine whether its tickets are on sale. */
export interface SoldEvent {
  readonly state: string;
  readonly website_published: boolean;
  readonly date_end: Date;
}

/** Sale period of a ticket; null means unlimited. */
export interface SalePeriod {
  readonly sale_start: Date | null;
  readonly deadline: Date | null;
}

/**
 * Whether visitors can buy a ticket now if there are seats: the event is confirmed, published and not over, and its sale period has
 * started.
 */
export function isOnSale(ctx: Ctx, event: SoldEvent, ticket: SalePeriod): boolean {
  const hasBegun = ticket.sale_start === null || ctx.isPast(ticket.sale_start);
  return hasBegun && !isPaused(event) && !hasEnded(ctx, event, ticket);
}

/** Whether a ticket will never be sold again: the event is cancelled or over, or the ticket's sale has ended. */
export function hasEnded(
  ctx: Ctx,
  { state, date_end }: Omit<SoldEvent, 'website_published'>,
  ticket: SalePeriod,
): boolean {
  if (state === 'cancel' || state === 'done' || ctx.isPast(date_end)) return true;
  return ticket.deadline !== null && ctx.isPast(ticket.deadline);
}

/** Whether ticket sales are paused: the event is unpublished or back in draft. Waiting lists are kept until sales resume. */
export function isPaused({ state, website_published }: Pick<SoldEvent, 'state' | 'website_published'>): boolean {
  return state === 'draft' || !website_published;
}

/** Availability of a ticket type: not yet, now, sold out (waiting list only), or no longer. */
export type TicketState = 'soon' | 'open' | 'sold_out' | 'over';

/** Availability of an event's tickets; `none`: it has no tickets, `closed`: it isn't confirmed. */
export type SaleState = TicketState | 'none' | 'closed';

/** Returns whether a ticket type can be bought now. */
export function ticketState(
  ctx: Ctx,
  { date_end }: Pick<SoldEvent, 'date_end'>,
  { sale_start, deadline }: SalePeriod,
  seats: Pick<TakenSeats, 'available'> | undefined,
): TicketState {
  if (ctx.isPast(date_end) || (deadline && ctx.isPast(deadline))) return 'over';
  if (sale_start && !ctx.isPast(sale_start)) return 'soon';
  return seats?.available === 0 ? 'sold_out' : 'open';
}

/** Derives the sale state of an event from the states of its tickets. */
export function saleState({ state }: { readonly state: string }, tickets: readonly TicketState[]): SaleState {
  if (state !== 'confirm') return 'closed';
  if (tickets.length === 0) return 'none';
  const order: readonly TicketState[] = ['open', 'sold_out', 'soon', 'over'];
  return order.find((state) => tickets.includes(state)) ?? 'none';
}
