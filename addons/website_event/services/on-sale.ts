import type { Ctx } from 'pergola';
import type { TakenSeats } from './seats.ts';

/** What of an event says whether its tickets are sold. */
export interface SoldEvent {
  readonly state: string;
  readonly website_published: boolean;
  readonly date_end: Date;
}

/** When a ticket is sold; null: at any time. */
export interface SalePeriod {
  readonly sale_start: Date | null;
  readonly deadline: Date | null;
}

/** Whether visitors can buy a ticket now if there are seats: the event is confirmed, published and not over, and its sale period has begun. */
export function isOnSale(ctx: Ctx, event: SoldEvent, ticket: SalePeriod): boolean {
  const hasBegun = ticket.sale_start === null || ctx.isPast(ticket.sale_start);
  return hasBegun && !isPaused(event) && !hasEnded(ctx, event, ticket);
}

/** Whether a ticket won't be sold any more: the event is cancelled or over, or the ticket's sale has ended. */
export function hasEnded(
  ctx: Ctx,
  { state, date_end }: Omit<SoldEvent, 'website_published'>,
  ticket: SalePeriod,
): boolean {
  if (state === 'cancel' || state === 'done' || ctx.isPast(date_end)) return true;
  return ticket.deadline !== null && ctx.isPast(ticket.deadline);
}

/** Whether an event's sale is interrupted: it's unpublished or being planned again. Waiting lists are kept until it goes on. */
export function isPaused({ state, website_published }: Pick<SoldEvent, 'state' | 'website_published'>): boolean {
  return state === 'draft' || !website_published;
}

/** Whether a kind of ticket can be bought: not yet, now, no longer, or only by those who wait. */
export type TicketState = 'soon' | 'open' | 'sold_out' | 'over';

/** Whether an event's tickets can be bought; `none`: it has none, `closed`: it is not (or no longer) confirmed. */
export type SaleState = TicketState | 'none' | 'closed';

/** Whether a kind of ticket can be bought now. */
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

/** How the sale of an event as a whole stands, from the states of its tickets. */
export function saleState({ state }: { readonly state: string }, tickets: readonly TicketState[]): SaleState {
  if (state !== 'confirm') return 'closed';
  if (tickets.length === 0) return 'none';
  const order: readonly TicketState[] = ['open', 'sold_out', 'soon', 'over'];
  return order.find((one) => tickets.includes(one)) ?? 'none';
}
