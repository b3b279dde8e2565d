import { type LineRequest, SaleOrder, SaleOrderLine, Stock, shortText, wholeQuantity } from '@pergola/sale';
import { app, Conflict, type Id, NotFound, service } from 'pergola';
import { EventTicket, ticketTitle } from '../models/event-event-ticket.ts';
import { TicketLine } from '../models/sale-order-line.ts';
import { plural } from '../texts.ts';

const select = {
  name: true,
  order_max: true,
  sale_start: true,
  deadline: true,
  event_id: { name: true, state: true, date_end: true, website_published: true },
} as const;

/** Requested quantity of a ticket for an order. */
export interface TicketRequest {
  readonly event: Id;
  readonly ticket: Id;
  /** Existing line for this ticket in the order, with its quantity. */
  readonly line: Id | null;
  /** Whether the order has lines. */
  readonly hasLines: boolean;
  readonly current: number;
  readonly requested: number;
}

/** Decides whether an order can have the requested tickets, and how many. */
export class TicketRequests extends service('website_event.ticket_requests', {
  ctx: app.ctx,
  tickets: EventTicket,
}) {
  /** Returns the ticket a line request is about, with the quantity the order already has; null for other products. */
  async of(order: Id, request: LineRequest): Promise<TicketRequest | null> {
    const extra = request.extra?.event_ticket_id;
    if (!request.line && extra === undefined) return null;
    // `setLine` checks that the order belongs to the caller; its tickets are read to do so.
    const system = this.ctx.sudo();
    const rows = await system.model(TicketLine).find([['order_id', '=', order]], {
      select: { product_id: true, event_ticket_id: { event_id: true }, product_uom_qty: true },
    });
    const line = request.line
      ? rows.find((row) => row.id === request.line)
      : rows.find(({ product_id, event_ticket_id }) => product_id === request.product && event_ticket_id?.id === extra);
    const ticket = line ? line.event_ticket_id?.id : extra;
    if (typeof ticket !== 'number') return null;
    const current = Number(line?.product_uom_qty ?? 0);
    const requested = request.set ?? (request.add === undefined ? 0 : current + request.add);
    const event =
      line?.event_ticket_id?.event_id ??
      (await system.model(EventTicket).get(ticket, { select: { event_id: true } })).event_id;
    return { ticket, line: line?.id ?? null, hasLines: rows.length > 0, current, requested, event };
  }

  /**
   * Returns how many of the requested tickets one order can have, regardless of availability. Reducing the quantity is always allowed.
   *
   * @throws Conflict for tickets that are not on sale
   * @throws NotFound if the caller can't see the event
   */
  async most(order: Id, { ticket, current, requested }: TicketRequest): Promise<number> {
    const quantity = wholeQuantity(requested);
    if (quantity <= current) return Math.max(0, quantity);
    // Reads as the caller; unpublished tickets can't be in any cart, even if staff add them.
    const [ticketRow] = await this.tickets.read([ticket], { select });
    const event = ticketRow?.event_id;
    const { is_cart } = await this.ctx.model(SaleOrder).get(order, { select: { is_cart: true } });
    if (!ticketRow || !event || (is_cart && !event.website_published)) {
      throw new NotFound('We can’t find this ticket.', { code: 'website_event.no_ticket' });
    }
    const params = { ticket: ticketTitle(this.ctx, event.name, ticketRow.name) };
    const now = this.ctx.now();
    const over = event.date_end <= now || (ticketRow.deadline !== null && ticketRow.deadline <= now);
    if (event.state !== 'confirm' || over) {
      throw new Conflict('“{ticket}” is no longer on sale.', { code: 'website_event.no_longer', params });
    }
    if (ticketRow.sale_start !== null && ticketRow.sale_start > now) {
      throw new Conflict('“{ticket}” isn’t on sale yet.', { code: 'website_event.not_yet', params });
    }
    return Math.min(quantity, Math.max(await this.tickets.mostPerOrder(ticketRow.order_max), current));
  }

  /**
   * Returns a message if no seats are left, or null. Doesn't lock, so seats may be sold a moment later.
   *
   * @param order the visitor's cart, whose own seats count as available; null without a cart
   */
  async soldOutText(order: Id | null, request: LineRequest, quantity: number): Promise<string | null> {
    // The number of seats left is public.
    const system = this.ctx.sudo();
    const needs = await system.model(SaleOrderLine).wants(request, quantity, null);
    const short = await system.get(Stock).shortages(needs, { order, locked: false });
    return short.some((shortage) => shortage.left <= 0) ? shortText(this.ctx, short) : null;
  }

  /** Returns the message that the order has reached the limit of a ticket. */
  async limitText({ ticket }: TicketRequest, maxQuantity: number): Promise<string> {
    const [row] = await this.tickets.read([ticket], { select });
    const name = ticketTitle(this.ctx, row?.event_id?.name ?? '', row?.name ?? '');
    return plural(
      this.ctx,
      'You can order up to {n} of “{name}”.',
      'You can order up to {n} of “{name}”.',
      maxQuantity,
      {
        name,
      },
    );
  }
}
