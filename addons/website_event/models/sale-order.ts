import { type LineAnswer, type LineRequest, type OrderProblem, SaleOrder } from '#addons/sale';
import { ShopOrder } from '#addons/website_sale';
import { extend, type FieldsOf, f, type Id, type Ids, type Values } from '#core';
import { Attendees } from '../services/attendees.ts';
import { TicketRequests } from '../services/ticket-requests.ts';
import { saleState, ticketState } from '../services/ticket-sales.ts';
import { WaitingOffers } from '../services/waiting-offers.ts';
import { EventEvent } from './event-event.ts';
import { EventTicket, ticketTitle } from './event-event-ticket.ts';
import { TicketLine } from './sale-order-line.ts';

/** Orders may hold tickets: they are checked as they are put in, and become registrations when the order is confirmed. */
export const TicketOrder = extend(
  ShopOrder,
  {
    registration_ids: f.one2many('event.registration', 'sale_order_id', {
      label: 'Registrations',
      groups: 'base.group_user',
    }),
    tickets_done: f.selection(
      { confirm: 'Issued', cancel: 'Taken back' },
      {
        readonly: true,
        groups: 'base.group_user',
        label: 'Tickets',
        help: 'What was done about them last; an order may be paid or cancelled while events are switched off',
      },
    ),
  },
  (Base) =>
    class extends Base {
      /**
       * Also checks that the ticket is on sale and that one order may have as many; the waiting list comes before visitors without a place on it. If there
       * are too few seats, fewer are added, and `warning` says why.
       */
      override async setLine(id: Id, request: LineRequest): Promise<LineAnswer> {
        const requests = this.ctx.get(TicketRequests);
        const wanted = await requests.of(id, request);
        if (!wanted) return super.setLine(id, request);
        await this.ctx.lock(SaleOrder, [id]);
        const most = await requests.most(id, wanted);
        // A crowd that comes too late is told without waiting for each other; of carts that are just begun `/event/cart/update` has looked.
        const soldOut =
          wanted.line === null && wanted.others && most > 0 ? await requests.soldOutText(id, request, most) : null;
        if (soldOut !== null) return { line: null, quantity: 0, warning: soldOut };
        await this.ctx.lock(EventEvent, [wanted.event]);
        const { add: _add, ...rest } = request;
        const extra = { ...rest.extra, event_ticket_id: wanted.ticket };
        // A fraction is passed on, so that the customer is told that it was cut off.
        const set = Math.floor(wanted.wanted) === most ? wanted.wanted : most;
        const answer = await super.setLine(id, { ...rest, extra, line: wanted.line, set });
        await this.ctx.get(WaitingOffers).follow([id]);
        if (answer.quantity < wanted.before) await this.ctx.model(EventEvent).seatsCameFree([wanted.event]);
        if (answer.warning || most >= Math.floor(wanted.wanted)) return answer;
        return { ...answer, warning: await requests.limitText(wanted, most) };
      }

      /** No more of a ticket than one order may have, also where the carts of a visitor who signs in are put together. */
      override async mergeInto(from: Id, into: Id): Promise<void> {
        const offers = this.ctx.get(WaitingOffers);
        if (from !== into) {
          await this.ctx.lock(SaleOrder, [from, into]);
          await offers.handOver([from], into);
        }
        await super.mergeInto(from, into);
        const lines = this.ctx.sudo().model(TicketLine); // Both carts are the caller's, which the order has looked at.
        const rows = await lines.find([['order_id', '=', into]], {
          select: { product_id: true, product_uom_qty: true, event_ticket_id: { order_max: true } },
        });
        for (const { id: line, product_id: product, product_uom_qty, event_ticket_id: ticket } of rows) {
          if (!ticket) continue;
          const most = await this.ctx.model(EventTicket).mostPerOrder(ticket.order_max);
          if (product !== null && Number(product_uom_qty) > most)
            await this.setLine(into, { product, line, set: most });
        }
        await offers.follow([into]);
      }

      /** The tickets with who they are for, under `attendees`. */
      override async checkoutShown(
        id: Id,
        typed: Readonly<Record<string, string>>,
        errors: Readonly<Record<string, string>>,
      ): Promise<Readonly<Record<string, unknown>>> {
        const shown = await super.checkoutShown(id, typed, errors);
        return { ...shown, attendees: await this.ctx.get(Attendees).named(id, typed, errors) };
      }

      /** Takes the names of who the tickets are for. */
      override async checkoutSubmitted(id: Id, fields: Readonly<Record<string, unknown>>): Promise<void> {
        await super.checkoutSubmitted(id, fields);
        await this.ctx.get(Attendees).name(id, fields);
      }

      override async problems(id: Id): Promise<OrderProblem[]> {
        return [...(await super.problems(id)), ...(await this.#ticketProblems(id))];
      }

      /** Tickets that are no longer sold: the event is over or cancelled, or the sale has ended since they were put in. */
      async #ticketProblems(id: Id): Promise<OrderProblem[]> {
        // Of an order that is the caller's, which whoever asks has checked.
        const system = this.ctx.sudo();
        const lines = await system.model(TicketLine).find(
          [
            ['order_id', '=', id],
            ['event_ticket_id', '!=', null],
          ],
          {
            select: {
              event_ticket_id: {
                name: true,
                sale_start: true,
                deadline: true,
                event_id: { name: true, state: true, date_end: true, website_published: true },
              },
            },
          },
        );
        return lines.flatMap(({ id: line, event_ticket_id: ticket }) => {
          const event = ticket?.event_id;
          if (!ticket || !event) return [];
          const state = saleState(event, [ticketState(system, event, ticket, undefined)]);
          if (event.website_published && state === 'open') return [];
          const message = this.ctx.t('“{ticket}” is no longer sold.', {
            ticket: ticketTitle(this.ctx, event.name, ticket.name),
          });
          return [{ line, code: 'website_event.no_longer', message }];
        });
      }

      /** Whoever waits for their money has named who comes: those seats are spoken for, which lists of events tell from the registrations. */
      override async afterWrite(ids: Ids, values: Values<FieldsOf<SaleOrder>>): Promise<void> {
        await super.afterWrite(ids, values);
        if (values.state === 'sent' && values.is_cart === false) await this.ctx.get(Attendees).prepare(ids);
        if (values.state === 'draft' || values.state === 'sent') await this.ctx.get(WaitingOffers).follow(ids);
      }

      override async confirm(ids: Ids): Promise<void> {
        await super.confirm(ids);
        await this.settleTickets(ids);
      }

      override async cancel(ids: Ids): Promise<void> {
        await super.cancel(ids);
        await this.ctx.get(WaitingOffers).follow(ids);
        await this.settleTickets(ids);
      }

      /**
       * Registers people for the tickets of confirmed orders, and takes those of cancelled ones back; of others nothing is done.
       *
       * @throws InvalidInput when there are not enough seats
       */
      async settleTickets(ids: Ids): Promise<void> {
        // Whoever confirms or cancels an order may, whatever their rights on its tickets.
        const system = this.ctx.sudo();
        const orders = system.model(TicketOrder);
        const attendees = this.ctx.get(Attendees);
        await system.lock(SaleOrder, ids);
        const rows = await orders.find(
          [
            ['id', 'in', ids],
            ['order_line.event_ticket_id', '!=', null],
          ],
          { select: { state: true } },
        );
        const of = (...states: string[]): Ids => rows.filter(({ state }) => states.includes(state)).map(({ id }) => id);
        const confirmed = of('sale', 'done');
        await this.ctx.get(WaitingOffers).settle(confirmed);
        await attendees.open(confirmed);
        await orders.write(confirmed, { tickets_done: 'confirm' });
        const cancelled = of('cancel');
        await attendees.cancel(cancelled);
        await orders.write(cancelled, { tickets_done: 'cancel' });
      }

      /** Carts that go take the people along who were only named. */
      override async beforeUnlink(ids: Ids): Promise<void> {
        await super.beforeUnlink(ids);
        await this.ctx.get(WaitingOffers).handOver(ids, null);
        await this.ctx.get(Attendees).forget(ids);
      }
    },
);
