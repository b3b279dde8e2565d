import type { Ctx, Id, Ids } from '#core';
import { EventEvent } from '../models/event-event.ts';
import { EventTicket } from '../models/event-event-ticket.ts';

/** What the clock says of events and their tickets. */
export interface SaleTimes {
  /** Events that are over. */
  readonly over: ReadonlySet<Id>;
  /** Tickets that are not sold yet. */
  readonly early: ReadonlySet<Id>;
  /** Tickets that are no longer sold. */
  readonly late: ReadonlySet<Id>;
}

/** Asked of the database, so that a kept page that tells of it is made anew when it changes. */
export async function saleTimes(ctx: Ctx, events: Ids): Promise<SaleTimes> {
  const now = ctx.now();
  const tickets = ctx.model(EventTicket);
  const over = await ctx.model(EventEvent).search([
    ['id', 'in', events],
    ['date_end', '<=', now],
  ]);
  const early = await tickets.search([
    ['event_id', 'in', events],
    ['sale_start', '>', now],
  ]);
  const late = await tickets.search([
    ['event_id', 'in', events],
    ['deadline', '<=', now],
  ]);
  return { over: new Set(over), early: new Set(early), late: new Set(late) };
}
