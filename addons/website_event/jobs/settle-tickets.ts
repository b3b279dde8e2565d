import { job, z } from 'pergola';
import { TicketOrder } from '../models/sale-order.ts';

/** Orders that were paid or cancelled while this addon was switched off have their tickets done once it is on again, for events that are not over. */
export const settleTicketsJob = job('website_event.settle_tickets', {
  mails: true,
  label: 'Issue or take back tickets of orders that changed while events were switched off',
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
      // Never confirmed or cancelled with this addon, unless that was before it noted so: then there are registrations that say it.
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
      // One for which no seats are left keeps no other one waiting.
      await write((writing) => writing.model(TicketOrder).settleTickets([order])).catch((error: unknown) =>
        ctx.log.warn({ err: error, order }, 'The tickets of an order could not be done'),
      );
    }
  },
});
