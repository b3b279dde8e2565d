import { job, z } from 'pergola';
import { TicketOrder } from '../models/sale-order.ts';

/** Issues or takes back tickets of orders that were paid or cancelled while this addon was disabled, unless the event is over. */
export const settleTicketsJob = job('website_event.settle_tickets', {
  mails: true,
  label: 'Update tickets of orders that changed while events were disabled',
  input: z.object({}),
  cron: '*/5 * * * *',
  whenSwitchedOn: true,
  run: async ({ ctx, write, signal }) => {
    const orders = await ctx.model(TicketOrder).search([
      ['order_line.event_ticket_id.event_id.date_end', '>', ctx.now()],
      '|',
      '|',
      '|',
      '&',
      ['tickets_done', '=', 'cancel'],
      ['state', 'in', ['sale', 'done']],
      '&',
      ['tickets_done', '=', 'confirm'],
      ['state', '=', 'cancel'],
      // Orders never settled by this addon. Those settled before `tickets_done` existed are recognised by their registrations.
      '&',
      '&',
      ['tickets_done', '=', null],
      ['state', 'in', ['sale', 'done']],
      '!',
      ['registration_ids.state', 'in', ['open', 'done', 'cancel']],
      '&',
      '&',
      ['tickets_done', '=', null],
      ['state', '=', 'cancel'],
      ['registration_ids.state', 'in', ['draft', 'open']],
    ]);
    for (const order of orders) {
      signal.throwIfAborted();
      // An order that no longer gets seats doesn't block the others.
      await write((writing) => writing.model(TicketOrder).settleTickets([order])).catch((error: unknown) =>
        ctx.log.warn({ err: error, order }, 'The tickets of an order could not be done'),
      );
    }
  },
});
