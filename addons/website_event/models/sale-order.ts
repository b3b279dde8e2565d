import { extend, type FieldsOf, f, type Id, type Ids, type Values, via } from 'pergola';
import {
  type ContentFact,
  type LineAnswer,
  type LineRequest,
  type OrderContent,
  type OrderProblem,
  SaleOrder,
} from '#addons/sale';
import { ShopOrder } from '#addons/website_sale';
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

/** Problems of lines that what happened to the event explains. */
const vague: ReadonlySet<string> = new Set(['sale.text_changed', 'sale.not_sold', 'website_sale.not_listed']);

/** The place of an online event. */
const nowhere: readonly null[] = Array(6).fill(null);

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
        await this.#followOffers([id]);
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
        await this.#followOffers([into]);
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

      /** Adds when and where the events of tickets take place. */
      override async content(id: Id): Promise<OrderContent> {
        const content = await super.content(id);
        const facts = await this.#eventFacts(content.lines.map((line) => line.id));
        const lines = content.lines.map((line) => ({ ...line, facts: [...line.facts, ...(facts.get(line.id) ?? [])] }));
        return { ...content, lines };
      }

      async #eventFacts(lines: Ids): Promise<ReadonlyMap<Id, readonly ContentFact[]>> {
        const system = this.ctx.sudo(); // What a ticket of the order is for is no secret of whoever may read the order.
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
            const when = [event.date_begin.toISOString(), event.date_end.toISOString(), event.date_tz];
            const venue = place ? addressParts(place) : nowhere;
            const text = place ? [place.name, ...place.lines].join(', ') : t(system, 'Online');
            return [
              [
                id,
                [
                  { key: 'when', label: t(system, 'Date'), value: when, text: whenOf(system, event).zoned },
                  { key: 'venue', label: t(system, 'Venue'), value: venue, text },
                ],
              ] as const,
            ];
          }),
        );
      }

      override async problems(id: Id): Promise<OrderProblem[]> {
        const found = await super.problems(id);
        const own = await this.#ticketProblems(id);
        const told = new Set(own.flatMap(({ line }) => line ?? []));
        // What happened to the event says more than that its line is another one.
        const others = found.filter(({ code, line }) => line === null || !told.has(line) || !vague.has(code));
        return [...others, ...own];
      }

      /**
       * Tickets that are not sold any more, or are for another time or place than was ordered. Of orders that are confirmed only those of cancelled events;
       * their holders are told of other changes.
       */
      async #ticketProblems(id: Id): Promise<OrderProblem[]> {
        const system = this.ctx.sudo(); // Of an order that is the caller's, which whoever asks has checked.
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
        const begun = order.transaction_ids.filter(({ state }) => state !== 'error' && state !== 'cancel');
        const about: OrderedFrom = {
          isShop: order.is_cart === true || order.website_id !== null,
          website: order.website_id,
          isConfirmed: order.state === 'sale' || order.state === 'done',
          placed: begun.map(({ create_date }) => create_date).sort((a, b) => Number(a) - Number(b))[0] ?? null,
        };
        const perOrder = await this.ctx.settings.get(ticketsPerOrder);
        return order.order_line.flatMap((line) => {
          const ticket = line.event_ticket_id;
          const event = ticket?.event_id;
          if (!ticket || !event) return [];
          const quantity = Number(line.product_uom_qty);
          const problem = ticketProblem(this.ctx, about, {
            ...ticket,
            event,
            quantity,
            most: ticket.order_max || perOrder,
          });
          if (problem) return [{ ...problem, line: line.id }];
          if (about.isConfirmed) return [];
          const place = places.get(event.address_id ?? 0);
          return movedProblems(this.ctx, line, event, place).map((moved) => ({
            ...moved,
            line: line.id,
          }));
        });
      }

      /** Whoever waits for their money has named who comes: those seats are spoken for, which lists of events tell from the registrations. */
      override async afterWrite(ids: Ids, values: Values<FieldsOf<SaleOrder>>): Promise<void> {
        await super.afterWrite(ids, values);
        if (values.state === 'sent' && values.is_cart === false) await this.ctx.get(Attendees).prepare(ids);
        if (values.state === 'draft' || values.state === 'sent') await this.#followOffers(ids);
      }

      override async confirm(ids: Ids): Promise<void> {
        await super.confirm(ids);
        await this.settleTickets(ids);
      }

      /** Offered seats follow what orders hold of them. */
      #followOffers(ids: Ids): Promise<void> {
        return this.ctx.get(WaitingOffers).follow(ids, () => this.ctx.model(TicketLine).seatsOf(ids));
      }

      /** Whose event takes place after all has tickets again. */
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
       * Registers people for the tickets of confirmed orders, and takes those of cancelled ones back; of others nothing is done. For an event that was
       * cancelled no one is registered: the order needs review.
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
        await orders.review(confirmed);
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
