import type { OrderProblem } from '#addons/sale';
import type { Ctx, Id } from '#core';
import { TicketLine } from '../models/sale-order-line.ts';
import { saleTimes } from './sale-times.ts';
import { saleState, ticketState } from './ticket-sales.ts';
import { ticketTitle } from './ticket-title.ts';

/** Tickets on an order that are no longer sold: the event is over or cancelled, or the sale has ended since they were put in. */
export async function ticketProblems(ctx: Ctx, order: Id): Promise<OrderProblem[]> {
  // Of an order that is the caller's, which whoever asks has checked.
  const lines = await ctx
    .sudo()
    .model(TicketLine)
    .find(
      [
        ['order_id', '=', order],
        ['event_ticket_id', '!=', null],
      ],
      {
        select: {
          event_ticket_id: {
            name: true,
            event_id: { name: true, state: true, website_published: true },
          },
        },
      },
    );
  const events = lines.flatMap(({ event_ticket_id }) => event_ticket_id?.event_id?.id ?? []);
  const times = await saleTimes(ctx.sudo(), events);
  return lines.flatMap(({ id, event_ticket_id: ticket }) => {
    const event = ticket?.event_id;
    if (!ticket || !event) return [];
    const open =
      event.website_published && saleState(event, [ticketState(times, event.id, ticket.id, undefined)]) === 'open';
    if (open) return [];
    const name = ticketTitle(ctx, event.name, ticket.name);
    return [
      { line: id, code: 'website_event.no_longer', message: ctx.t('“{ticket}” is no longer sold.', { ticket: name }) },
    ];
  });
}
