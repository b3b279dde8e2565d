import { SaleHold } from '#addons/sale';
import type { Ctx, Id } from '#core';

/** The names under which seats are held. */
export const ticketResource = 'event.event.ticket';
export const eventResource = 'event.event';

/** So many seats in carts, and in orders that wait for their payment. */
export interface HeldTickets {
  readonly event: Id;
  readonly ticket: Id;
  readonly quantity: number;
}

/** What orders hold of tickets (ticket to event) now, but for one order. Needs rights lifted. */
export async function heldTickets(system: Ctx, eventOf: ReadonlyMap<Id, Id>, but: Id | null): Promise<HeldTickets[]> {
  const groups = await system
    .model(SaleHold)
    .group(
      [
        ['resource', '=', ticketResource],
        ['resource_id', 'in', [...eventOf.keys()]],
        ['until', '>', system.now()],
        ...(but === null ? [] : [['order_id', '!=', but] as const]),
      ],
      { by: ['resource_id'], aggregates: ['quantity:sum'] },
    );
  return groups.map((group) => {
    const ticket = Number(group.resource_id);
    return { event: eventOf.get(ticket) ?? 0, ticket, quantity: Number(group['quantity:sum']) };
  });
}
