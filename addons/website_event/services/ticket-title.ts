import type { Ctx } from '#core';

/** What a ticket is called where nothing else says what it is for: `Garden fair: VIP`. */
export function ticketTitle(ctx: Pick<Ctx, 't'>, event: string, ticket: string): string {
  return ctx.t('{event}: {ticket}', { event, ticket });
}
