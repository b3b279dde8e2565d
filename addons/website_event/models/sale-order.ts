import {
  type ContentFact,
  type LineAnswer,
  type LineRequest,
  type OrderContent,
  type OrderProblem,
  SaleOrder,
} from '@pergola/sale';
import { ShopOrder } from '@pergola/website_sale';
import { extend, type FieldsOf, f, type Id, type Ids, type Values, via } from 'pergola';
import { Attendees } from '../services/attendees.ts';
import { whenOf } from '../services/event-dates.ts';
import { addressParts, placesOf } from '../services/places.ts';
import { movedProblems, type OrderedFrom, ticketProblem } from '../services/ticket-problems.ts';
import { TicketRequests } from '../services/ticket-requests.ts';
import { WaitingOffers } from '../services/waiting-offers.ts';
import { ticketsPerOrder } from '../settings.ts';
import { t } from '../texts.ts';
import { EventEvent } from './event-event.ts';
import { EventTicket } from './event-event-ticket.ts';
import { TicketLine } from './sale-order-line.ts';

/** Line problems that are redundant if the event itself has changed. */
const genericCodes: ReadonlySet<string> = new Set(['sale.text_changed', 'sale.not_sold', 'website_sale.not_listed']);

/** Address values of an online event. */
const onlineAddress: readonly null[] = Array(6).fill(null);

/** Adds tickets to orders: they are checked when added to the cart and become registrations when the order is confirmed. */
export const TicketOrder = extend(
  ShopOrder,
  {
    registration_ids: f.one2many('event.registration', 'sale_order_id', {
      label: 'Registrations',
      groups: 'base.group_user',
    }),
    tickets_done: f.selection(
      { confirm: 'Issued', cancel: 'Revoked' },
      {
        readonly: true,
        groups: 'base.group_user',
        label: 'Tickets',
        help: 'Last action on the tickets; orders can be paid or cancelled while events are disabled',
      },
    ),
  },
  (Base) =>
    class extends Base {
      /**
       * Also checks that the ticket is on sale and within the limit per order; the waiting list takes precedence over other visitors. If
       * there are too few seats, fewer are added and `warning` explains why.
       */
      override async setLine(id: Id, request: LineRequest): Promise<LineAnswer> {
        const requests = this.ctx.get(TicketRequests);
        const ticketRequest = await requests.of(id, request);
        if (!ticketRequest) return super.setLine(id, request);
        await this.ctx.lock(SaleOrder, [id]);
        const maxQuantity = await requests.most(id, ticketRequest);
        // Rejects late requests without waiting for the event lock; for new carts, `/event/cart/update` has already checked.
        const soldOut =
          ticketRequest.line === null && ticketRequest.hasLines && maxQuantity > 0
            ? await requests.soldOutText(id, request, maxQuantity)
            : null;
        if (soldOut !== null) return { line: null, quantity: 0, warning: soldOut };
        await this.ctx.lock(EventEvent, [ticketRequest.event]);
        const { add: _add, ...rest } = request;
        const extra = { ...rest.extra, event_ticket_id: ticketRequest.ticket };
        // Passes fractions on, so the customer learns that they were rounded down.
        const set = Math.floor(ticketRequest.requested) === maxQuantity ? ticketRequest.requested : maxQuantity;
        const answer = await super.setLine(id, { ...rest, extra, line: ticketRequest.line, set });
        await this.#followOffers([id]);
        if (answer.quantity < ticketRequest.current)
          await this.ctx.model(EventEvent).seatsCameFree([ticketRequest.event]);
        if (answer.warning || maxQuantity >= Math.floor(ticketRequest.requested)) return answer;
        return { ...answer, warning: await requests.limitText(ticketRequest, maxQuantity) };
      }

      /** Enforces the limit per order also when carts are merged on sign-in. */
      override async mergeInto(from: Id, into: Id): Promise<void> {
        const offers = this.ctx.get(WaitingOffers);
        if (from !== into) {
          await this.ctx.lock(SaleOrder, [from, into]);
          await offers.handOver([from], into);
        }
        await super.mergeInto(from, into);
        const lines = this.ctx.sudo().model(TicketLine); // The order has verified that both carts belong to the caller.
        const rows = await lines.find([['order_id', '=', into]], {
          select: { product_id: true, product_uom_qty: true, event_ticket_id: { order_max: true } },
        });
        for (const { id: line, product_id: product, product_uom_qty, event_ticket_id: ticket } of rows) {
          if (!ticket) continue;
          const maxQuantity = await this.ctx.model(EventTicket).mostPerOrder(ticket.order_max);
          if (product !== null && Number(product_uom_qty) > maxQuantity)
            await this.setLine(into, { product, line, set: maxQuantity });
        }
        await this.#followOffers([into]);
      }

      /** Adds tickets and attendees as `attendees`. */
      override async checkoutShown(
        id: Id,
        fields: Readonly<Record<string, string>>,
        errors: Readonly<Record<string, string>>,
      ): Promise<Readonly<Record<string, unknown>>> {
        const values = await super.checkoutShown(id, fields, errors);
        return { ...values, attendees: await this.ctx.get(Attendees).named(id, fields, errors) };
      }

      /** Saves the attendees named at checkout. */
      override async checkoutSubmitted(id: Id, fields: Readonly<Record<string, unknown>>): Promise<void> {
        await super.checkoutSubmitted(id, fields);
        await this.ctx.get(Attendees).name(id, fields);
      }

      /** Adds the time and place of the tickets' events. */
      override async content(id: Id): Promise<OrderContent> {
        const content = await super.content(id);
        const facts = await this.#eventFacts(content.lines.map((line) => line.id));
        const lines = content.lines.map((line) => ({ ...line, facts: [...line.facts, ...(facts.get(line.id) ?? [])] }));
        return { ...content, lines };
      }

      async #eventFacts(lines: Ids): Promise<ReadonlyMap<Id, readonly ContentFact[]>> {
        const system = this.ctx.sudo(); // Anyone who can read the order may know what its tickets are for.
        const rows = await system.model(TicketLine).find(
          [
            ['id', 'in', lines],
            ['event_ticket_id', '!=', null],
          ],
          {
            select: {
              event_ticket_id: {
                event_id: { date_begin: true, date_end: true, date_tz: true, address_id: true },
              },
            },
          },
        );
        const events = rows.flatMap(({ event_ticket_id }) => event_ticket_id?.event_id ?? []);
        const places = await placesOf(system, [...new Set(events.flatMap(({ address_id }) => address_id ?? []))]);
        return new Map(
          rows.flatMap(({ id, event_ticket_id }) => {
            const event = event_ticket_id?.event_id;
            if (!event) return [];
            const place = places.get(event.address_id ?? 0);
            const dates = [event.date_begin.toISOString(), event.date_end.toISOString(), event.date_tz];
            const venue = place ? addressParts(place) : onlineAddress;
            const text = place ? [place.name, ...place.lines].join(', ') : t(system, 'Online');
            return [
              [
                id,
                [
                  { key: 'when', label: t(system, 'Date'), value: dates, text: whenOf(system, event).zoned },
                  { key: 'venue', label: t(system, 'Venue'), value: venue, text },
                ],
              ] as const,
            ];
          }),
        );
      }

      override async problems(id: Id): Promise<OrderProblem[]> {
        const orderProblems = await super.problems(id);
        const ticketProblems = await this.#ticketProblems(id);
        const affectedLines = new Set(ticketProblems.flatMap(({ line }) => line ?? []));
        // A change of the event explains more than generic problems of the same line.
        const remaining = orderProblems.filter(
          ({ code, line }) => line === null || !affectedLines.has(line) || !genericCodes.has(code),
        );
        return [...remaining, ...ticketProblems];
      }

      /**
       * Lists tickets that are no longer sold, or whose event has moved since the order. For confirmed orders, only reports cancelled
       * events, because ticket holders are notified of other changes.
       */
      async #ticketProblems(id: Id): Promise<OrderProblem[]> {
        const system = this.ctx.sudo(); // The caller has verified access to the order.
        const order = await system.model(TicketOrder).get(id, {
          select: {
            state: true,
            is_cart: true,
            website_id: true,
            transaction_ids: { state: true, create_date: true },
            order_line: via(TicketLine, {
              product_uom_qty: true,
              ticket_begin: true,
              ticket_end: true,
              ticket_venue: true,
              ticket_address: true,
              ticket_tz: true,
              event_ticket_id: {
                name: true,
                sale_start: true,
                deadline: true,
                order_max: true,
                event_id: {
                  name: true,
                  state: true,
                  date_begin: true,
                  date_end: true,
                  date_tz: true,
                  address_id: true,
                  website_published: true,
                  website_id: true,
                },
              },
            }),
          },
        });
        if (order.state === 'cancel') return [];
        const places = await placesOf(
          this.ctx,
          order.order_line.flatMap((line) => line.event_ticket_id?.event_id?.address_id ?? []),
        );
        const activePayments = order.transaction_ids.filter(({ state }) => state !== 'error' && state !== 'cancel');
        const source: OrderedFrom = {
          isShop: order.is_cart === true || order.website_id !== null,
          website: order.website_id,
          isConfirmed: order.state === 'sale' || order.state === 'done',
          placed: activePayments.map(({ create_date }) => create_date).sort((a, b) => Number(a) - Number(b))[0] ?? null,
        };
        const perOrder = await this.ctx.settings.get(ticketsPerOrder);
        return order.order_line.flatMap((line) => {
          const ticket = line.event_ticket_id;
          const event = ticket?.event_id;
          if (!ticket || !event) return [];
          const quantity = Number(line.product_uom_qty);
          const problem = ticketProblem(this.ctx, source, {
            ...ticket,
            event,
            quantity,
            most: ticket.order_max || perOrder,
          });
          if (problem) return [{ ...problem, line: line.id }];
          if (source.isConfirmed) return [];
          const place = places.get(event.address_id ?? 0);
          return movedProblems(this.ctx, line, event, place).map((moved) => ({
            ...moved,
            line: line.id,
          }));
        });
      }

      /** Orders awaiting payment get draft registrations, so event lists can count their seats as taken. */
      override async afterWrite(ids: Ids, values: Values<FieldsOf<SaleOrder>>): Promise<void> {
        await super.afterWrite(ids, values);
        if (values.state === 'sent' && values.is_cart === false) await this.ctx.get(Attendees).prepare(ids);
        if (values.state === 'draft' || values.state === 'sent') await this.#followOffers(ids);
      }

      override async confirm(ids: Ids): Promise<void> {
        await super.confirm(ids);
        await this.settleTickets(ids);
      }

      /** Aligns waiting list offers with the seats that orders hold. */
      #followOffers(ids: Ids): Promise<void> {
        return this.ctx.get(WaitingOffers).follow(ids, () => this.ctx.model(TicketLine).seatsOf(ids));
      }

      /** Reissues tickets if the event takes place after all. */
      override async resume(ids: Ids): Promise<void> {
        await super.resume(ids);
        await this.settleTickets(ids);
      }

      override async cancel(ids: Ids): Promise<void> {
        await super.cancel(ids);
        await this.#followOffers(ids);
        await this.settleTickets(ids);
      }

      /**
       * Registers attendees for confirmed orders and cancels registrations of cancelled orders; ignores all others. Skips cancelled events,
       * whose orders need review.
       *
       * @throws InvalidInput if there are not enough seats
       */
      async settleTickets(ids: Ids): Promise<void> {
        // Users who can confirm or cancel an order may not have access to its tickets.
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
        const idsIn = (...states: string[]): Ids =>
          rows.filter(({ state }) => states.includes(state)).map(({ id }) => id);
        const confirmed = idsIn('sale', 'done');
        await this.ctx.get(WaitingOffers).settle(confirmed);
        await attendees.open(confirmed);
        await orders.write(confirmed, { tickets_done: 'confirm' });
        await orders.review(confirmed);
        const cancelled = idsIn('cancel');
        await attendees.cancel(cancelled);
        await orders.write(cancelled, { tickets_done: 'cancel' });
      }

      /** Deletes named attendees along with their cart. */
      override async beforeUnlink(ids: Ids): Promise<void> {
        await super.beforeUnlink(ids);
        await this.ctx.get(WaitingOffers).handOver(ids, null);
        await this.ctx.get(Attendees).forget(ids);
      }
    },
);
