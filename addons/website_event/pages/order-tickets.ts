import { SaleOrder } from '#addons/sale';
import { lastOrderOf } from '#addons/website_sale';
import { type Ctx, fragment, type Id, type RequestView, timingSafeEqualText } from '#core';
import { EventEvent } from '../models/event-event.ts';
import { EventRegistration } from '../models/event-registration.ts';
import { codePath, ticketsPath } from '../services/ticket-links.ts';

/** So many tickets are shown with their codes on the page. */
const mostCodes = 12;

/** The tickets of an order, on the page that thanks for it and on the order's own. */
export const orderTickets = fragment('website_event.order_tickets', {
  template: 'website_event.order_tickets',
  vary: 'always',
  load: async (ctx, request) => {
    const order = await orderIn(ctx, request);
    return order === null ? { events: [] } : ticketsOf(ctx, order);
  },
});

/** The order a page is about: by its link, or the one placed last in this session. */
async function orderIn(ctx: Ctx, { path }: RequestView): Promise<Id | null> {
  const [, digits, token = ''] = /^\/shop\/order\/([1-9]\d{0,9})\/([^/]{1,100})$/.exec(path) ?? [];
  if (digits === undefined) return path === '/shop/confirmation' ? lastOrderOf(ctx) : null;
  // The token stands for the right to see the order.
  const [row] = await ctx
    .sudo()
    .model(SaleOrder)
    .read([Number(digits)], { select: { access_token: true } });
  return row && timingSafeEqualText(row.access_token, token) ? row.id : null;
}

async function ticketsOf(ctx: Ctx, order: Id) {
  // Found to be the caller's above.
  const rows = await ctx
    .sudo()
    .model(EventRegistration)
    .find(
      [
        ['sale_order_id', '=', order],
        ['state', 'in', ['draft', 'open', 'done']],
      ],
      {
        select: {
          name: true,
          state: true,
          event_ticket_id: { name: true },
          event_id: {},
        },
        order: 'event_id, id',
      },
    );
  const valid = rows.filter(({ state }) => state !== 'draft').map(({ id }) => id);
  const groups = [...Map.groupBy(rows, ({ event_id }) => event_id?.id ?? 0)];
  const facts = new Map(
    await Promise.all(groups.map(async ([event]) => [event, await ctx.model(EventEvent).facts(event)] as const)),
  );
  const events = groups.map(([event, group]) => ({
    name: facts.get(event)?.event ?? '',
    url: facts.get(event)?.path ?? '/event',
    when: facts.get(event)?.when ?? '',
    // Only whoever has a ticket is told how to join.
    online: group.some(({ state }) => state !== 'draft') ? (facts.get(event)?.online ?? null) : null,
    tickets: group.map(({ id, name, state, event_ticket_id }) => ({
      attendee: name ?? '',
      ticket: event_ticket_id?.name ?? '',
      // Of many tickets the file is the better way.
      code: state === 'draft' || valid.length > mostCodes ? null : codePath(ctx, id),
    })),
  }));
  return { events, file: valid.length === 0 ? null : ticketsPath(ctx, valid), waiting: valid.length < rows.length };
}
