import { type LineAnswer, type LineRequest, type OrderProblem, SaleOrder } from '#addons/sale';
import { ShopOrder } from '#addons/website_sale';
import { extend, type FieldsOf, f, type Id, type Ids, type Values } from '#core';
import { namedTickets, takeNames } from '../services/attendee-names.ts';
import { cancelAttendees, forgetAttendees, nameAttendees, openAttendees } from '../services/attendees.ts';
import { ticketProblems } from '../services/ticket-problems.ts';
import { checkTicket, mostOf, soldOutText, type TicketWish } from '../services/ticket-requests.ts';
import { mostPerOrder } from '../settings.ts';
import { EventEvent } from './event-event.ts';
import { EventTicket } from './event-event-ticket.ts';
import { TicketLine } from './sale-order-line.ts';

/** Orders may hold tickets: they are checked as they are put in, and become registrations when the order is confirmed. */
export const TicketOrder = extend(
  ShopOrder,
  {
    registration_ids: f.one2many('event.registration', 'sale_order_id', {
      label: 'Registrations',
      groups: 'base.group_user',
    }),
  },
  (Base) =>
    class extends Base {
      /**
       * Beside what the order itself checks: the ticket is on sale, is not asked for more often than one order may have, and nobody on its waiting list
       * comes first. Nothing is refused for want of seats: fewer are put in, and `warning` says why.
       */
      override async setLine(id: Id, request: LineRequest): Promise<LineAnswer> {
        const wish = await this.#wish(id, request);
        if (!wish) return super.setLine(id, request);
        await this.ctx.lock(SaleOrder, [id]);
        const most = await mostOf(this.ctx, id, wish);
        // A crowd that comes too late is told without waiting for each other; of carts that are just begun `/event/cart/update` has looked.
        const soldOut =
          wish.line === null && wish.others && most > 0 ? await soldOutText(this.ctx, request, most) : null;
        if (soldOut !== null) return { line: null, quantity: 0, warning: soldOut };
        await this.ctx.lock(EventEvent, [wish.event]);
        const { quantity, warning } = await checkTicket(this.ctx, id, wish, most);
        const { add: _add, ...rest } = request;
        const extra = { ...rest.extra, event_ticket_id: wish.ticket };
        const answer = await super.setLine(id, { ...rest, extra, line: wish.line, set: quantity, locked: true });
        return warning && !answer.warning ? { ...answer, warning } : answer;
      }

      /** No more of a ticket than one order may have, also where the carts of a visitor who signs in are put together. */
      override async mergeInto(from: Id, into: Id): Promise<void> {
        await super.mergeInto(from, into);
        const lines = this.ctx.sudo().model(TicketLine); // Both carts are the caller's, which the order has looked at.
        const rows = await lines.find([['order_id', '=', into]], {
          select: { product_id: true, product_uom_qty: true, event_ticket_id: { order_max: true } },
        });
        for (const { id: line, product_id: product, product_uom_qty, event_ticket_id: ticket } of rows) {
          if (!ticket) continue;
          const most = await mostPerOrder(this.ctx, ticket.order_max);
          if (product !== null && Number(product_uom_qty) > most)
            await this.setLine(into, { product, line, set: most });
        }
      }

      /** The tickets with who they are for, under `attendees`. */
      override async checkoutShown(
        id: Id,
        typed: Readonly<Record<string, string>>,
        errors: Readonly<Record<string, string>>,
      ): Promise<Readonly<Record<string, unknown>>> {
        const shown = await super.checkoutShown(id, typed, errors);
        return { ...shown, attendees: await namedTickets(this.ctx, id, typed, errors) };
      }

      /** Takes the names of who the tickets are for. */
      override async checkoutSubmitted(id: Id, fields: Readonly<Record<string, unknown>>): Promise<void> {
        await super.checkoutSubmitted(id, fields);
        await takeNames(this.ctx, id, fields);
      }

      override async problems(id: Id): Promise<OrderProblem[]> {
        return [...(await super.problems(id)), ...(await ticketProblems(this.ctx, id))];
      }

      /** Whoever waits for their money has named who comes: those seats are spoken for, which lists of events tell from the registrations. */
      override async afterWrite(ids: Ids, values: Values<FieldsOf<SaleOrder>>): Promise<void> {
        await super.afterWrite(ids, values);
        if (values.state === 'sent' && values.is_cart === false) await nameAttendees(this.ctx, ids);
      }

      override async confirm(ids: Ids): Promise<void> {
        await super.confirm(ids);
        await openAttendees(this.ctx, ids);
      }

      override async cancel(ids: Ids): Promise<void> {
        await super.cancel(ids);
        await cancelAttendees(this.ctx, ids);
      }

      /** Carts that go take the people along who were only named. */
      override async beforeUnlink(ids: Ids): Promise<void> {
        await super.beforeUnlink(ids);
        await forgetAttendees(this.ctx, ids);
      }

      /** The ticket a request is for, and how many of it the order has; null for everything else. */
      async #wish(id: Id, request: LineRequest): Promise<TicketWish | null> {
        // The order is the caller's, which `setLine` of the order checks; what it holds of tickets is looked up for that.
        const rows = await this.ctx
          .sudo()
          .model(TicketLine)
          .find([['order_id', '=', id]], {
            select: { product_id: true, event_ticket_id: { event_id: true }, product_uom_qty: true },
          });
        const extra = request.extra?.event_ticket_id;
        const line = request.line
          ? rows.find((row) => row.id === request.line)
          : rows.find(
              ({ product_id, event_ticket_id }) => product_id === request.product && event_ticket_id?.id === extra,
            );
        const ticket = line ? line.event_ticket_id?.id : extra;
        if (typeof ticket !== 'number') return null;
        const before = Number(line?.product_uom_qty ?? 0);
        const wanted = request.set ?? (request.add === undefined ? 0 : before + request.add);
        const event = line?.event_ticket_id?.event_id;
        return {
          ticket,
          line: line?.id ?? null,
          others: rows.length > 0,
          before,
          wanted,
          event: event ?? (await this.#eventOf(ticket)),
        };
      }

      async #eventOf(ticket: Id): Promise<Id> {
        const { event_id } = await this.ctx
          .sudo()
          .model(EventTicket)
          .get(ticket, { select: { event_id: true } });
        return event_id;
      }
    },
);
