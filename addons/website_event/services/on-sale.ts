import type { Ctx } from '#core';

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
  return !hasEnded(ctx, event, ticket) && (ticket.sale_start === null || ctx.isPast(ticket.sale_start));
}

/** Whether a ticket isn't sold any more, or the event was taken back. */
export function hasEnded(ctx: Ctx, event: SoldEvent, { deadline }: SalePeriod): boolean {
  if (event.state !== 'confirm' || !event.website_published || ctx.isPast(event.date_end)) return true;
  return deadline !== null && ctx.isPast(deadline);
}
