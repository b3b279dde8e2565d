import { SaleOrder } from '@pergola/sale';
import { lastOrderOf } from '@pergola/website_sale';
import { type Ctx, fragment, type Id, type RequestView, timingSafeEqualText } from 'pergola';
import { EventRegistration } from '../models/event-registration.ts';
import { ticketCards } from '../services/ticket-cards.ts';
import { ticketsPath } from '../services/ticket-links.ts';

/** Maximum number of tickets shown on the page. */
const MAX_CARDS = 30;

/** Tickets of an order, for its confirmation page and its order page. */
export const orderTickets = fragment('website_event.order_tickets', {
  template: 'website_event.order_tickets',
  vary: 'always',
  load: async (ctx, request) => {
    const order = await orderIn(ctx, request);
    return order === null ? { tickets: [] } : ticketsOf(ctx, order);
  },
});

/** Finds the order of a page: by its link, or the last order placed in this session. */
async function orderIn(ctx: Ctx, { path }: RequestView): Promise<Id | null> {
  const [, digits, token = ''] = /^\/shop\/order\/([1-9]\d{0,9})\/([^/]{1,100})$/.exec(path) ?? [];
  if (digits === undefined) return path === '/shop/confirmation' ? lastOrderOf(ctx) : null;
  // The token grants access to the order.
  const [row] = await ctx
    .sudo()
    .model(SaleOrder)
    .read([Number(digits)], { select: { access_token: true } });
  return row && timingSafeEqualText(row.access_token, token) ? row.id : null;
}

async function ticketsOf(ctx: Ctx, order: Id) {
  // Ownership was verified above.
  const rows = await ctx
    .sudo()
    .model(EventRegistration)
    .find(
      [
        ['sale_order_id', '=', order],
        ['state', 'in', ['draft', 'open', 'done']],
      ],
      { select: { state: true }, order: 'event_id, id' },
    );
  const valid = rows.filter(({ state }) => state !== 'draft').map(({ id }) => id);
  const holder = `order:${order}`;
  // Large orders use the PDF file instead.
  const ids = rows.slice(0, MAX_CARDS).map(({ id }) => id);
  return {
    tickets: await ticketCards(ctx, ids, () => holder),
    more: rows.length - ids.length,
    file: valid.length === 0 ? null : ticketsPath(ctx, valid, holder),
    waiting: valid.length < rows.length,
  };
}
