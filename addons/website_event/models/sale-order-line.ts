import {
  type LineRequest,
  type Need,
  type Offer,
  type OfferRequest,
  type OrderTerms,
  ProductProduct,
} from '@pergola/sale';
import { isOnSite, ShopOrderLine } from '@pergola/website_sale';
import {
  type Ctx,
  decimal,
  extend,
  type FieldsOf,
  f,
  type Id,
  type Ids,
  InvalidInput,
  kept,
  type Values,
} from 'pergola';
import { whenOf } from '../services/event-dates.ts';
import { addressKey, type Place, placesOf, supplyOfEvent } from '../services/places.ts';
import { eventResource, ticketResource } from '../services/seats.ts';
import { type LineSeats, WaitingOffers } from '../services/waiting-offers.ts';
import { t } from '../texts.ts';
import { EventEvent } from './event-event.ts';
import { EventTicket, ticketTitle } from './event-event-ticket.ts';
import { EventRegistration } from './event-registration.ts';

type ShopLine = InstanceType<typeof ShopOrderLine>;

/** Returns the products that are used for tickets. */
export const ticketProducts = kept(
  'website_event.ticket_products',
  (ctx, products: Ids): Promise<Ids> =>
    ctx.model(ProductProduct).search([
      ['id', 'in', products],
      ['active', 'in', [true, false]],
      ['product_tmpl_id.event_ok', '=', true],
    ]),
);

/** Adds tickets to order lines, with their prices, seats and attendees. */
export const TicketLine = extend(
  ShopOrderLine,
  {
    event_ticket_id: f.many2one('event.event.ticket', { ondelete: 'restrict', index: true, label: 'Ticket' }),
    event_id: f.many2one('event.event', { related: 'event_ticket_id.event_id', label: 'Event' }),
    /** Time of the event when the ticket was ordered; empty for lines older than these fields. */
    ticket_begin: f.datetime({ readonly: true, copy: false, label: 'Event start (as ordered)' }),
    ticket_end: f.datetime({ readonly: true, copy: false, label: 'Event end (as ordered)' }),
    /** Contact of the venue; 0 for online events. */
    ticket_venue: f.integer({ readonly: true, copy: false, label: 'Venue (as ordered)' }),
    /** `addressKey` of the venue and the time zone of the event; empty for lines older than these fields. */
    ticket_address: f.char({ size: 64, readonly: true, copy: false, label: 'Address (as ordered)' }),
    ticket_tz: f.char({ size: 64, readonly: true, copy: false, label: 'Time zone (as ordered)' }),
    registration_ids: f.one2many('event.registration', 'sale_order_line_id', {
      label: 'Registrations',
      groups: 'base.group_user',
    }),
  },
  (Base) =>
    class extends Base {
      /** Prices tickets from their ticket type; a ticket product isn't sold without one. */
      override async offers(terms: OrderTerms, requests: readonly OfferRequest[]): Promise<(Offer | null)[]> {
        const reader = terms.lang ? this.ctx.as({ lang: terms.lang }) : this.ctx;
        const tickets = await this.#ticketsOf(reader, requests);
        const ticketProductIds = await this.#ticketProducts(requests.map(({ product }) => product));
        const venues = await placesOf(reader, [
          ...new Set([...tickets.values()].flatMap(({ event_id }) => event_id?.address_id ?? [])),
        ]);
        const priced = requests.map((request) => {
          const ticket = tickets.get(request);
          if (!ticket?.event_id) return request;
          return { ...request, list: ticket.price, supply: supplyOfEvent(ticket.event_id, venues) };
        });
        const offers = await super.offers(terms, priced);
        return requests.map((request, place) => {
          const offer = offers[place] ?? null;
          const ticket = tickets.get(request);
          if (!ticket) return ticketProductIds.has(request.product) ? null : offer;
          return ticket.product_id === request.product && offer
            ? { ...offer, name: textOf(reader, ticket, venues.get(ticket.event_id?.address_id ?? 0)) }
            : null;
        });
      }

      /** Stores the time and place of the event on new lines. */
      override async beforeCreate(
        values: readonly Values<FieldsOf<InstanceType<typeof Base>>>[],
      ): Promise<readonly Values<FieldsOf<InstanceType<typeof Base>>>[]> {
        const complete = await super.beforeCreate(values);
        const tickets = complete.map((value) => (value as { event_ticket_id?: unknown }).event_ticket_id);
        const whereabouts = await this.#whereabouts(tickets.flatMap((id) => (typeof id === 'number' ? [id] : [])));
        return complete.map((value, index) => ({ ...value, ...whereabouts.get(Number(tickets[index])) }));
      }

      override async renewed(ids: Ids): Promise<void> {
        await super.renewed(ids);
        const rows = await this.find(
          [
            ['id', 'in', ids],
            ['event_ticket_id', '!=', null],
          ],
          { select: { event_ticket_id: true } },
        );
        const whereabouts = await this.#whereabouts(rows.flatMap(({ event_ticket_id }) => event_ticket_id ?? []));
        for (const { id, event_ticket_id } of rows) {
          const values = whereabouts.get(event_ticket_id ?? 0);
          if (values) await this.write(id, values);
        }
      }

      /** Current time and place of the tickets' events, as line values. */
      async #whereabouts(tickets: Ids): Promise<Map<Id, TicketWhereabouts>> {
        if (tickets.length === 0) return new Map();
        const rows = await this.ctx
          .sudo() // Salespeople may know when and where an event takes place.
          .model(EventTicket)
          .read([...new Set(tickets)], {
            select: { event_id: { date_begin: true, date_end: true, date_tz: true, address_id: true } },
          });
        const venues = await placesOf(
          this.ctx,
          rows.flatMap(({ event_id }) => event_id?.address_id ?? []),
        );
        return new Map(
          rows.flatMap(({ id, event_id }) =>
            event_id ? [[id, whereaboutsOf(event_id, venues.get(event_id.address_id ?? 0))] as const] : [],
          ),
        );
      }

      /** Ticket products aren't listed, but can be sold with a ticket from the event page. */
      override async notOffered(request: OfferRequest): Promise<string> {
        const isTicket = (await this.#ticketProducts([request.product])).has(request.product);
        if (!isTicket) return super.notOffered(request);
        return t(
          this.ctx,
          'This product is for event tickets. Order them on the event’s page, where seats are reserved.',
        );
      }

      /** Keeps one line per ticket type. */
      override async sameLine(lines: Ids, request: LineRequest): Promise<Id | null> {
        const ticketId = request.extra?.event_ticket_id ?? null;
        const rows = await this.read(lines, { select: { event_ticket_id: true } });
        const lineIds = rows.filter(({ event_ticket_id }) => event_ticket_id === ticketId).map(({ id }) => id);
        return lineIds.length === 0 ? null : super.sameLine(lineIds, request);
      }

      /** Adds the ticket type, which distinguishes lines of the same product. */
      override async extraOf(id: Id): Promise<Record<string, unknown>> {
        const { event_ticket_id } = await this.get(id, { select: { event_ticket_id: true } });
        return { ...(await super.extraOf(id)), ...(event_ticket_id === null ? {} : { event_ticket_id }) };
      }

      /** Links tickets to the page of their event if it is published. */
      override async pagesOf(ids: Ids): Promise<Map<Id, string>> {
        const rows = await this.find(
          [
            ['id', 'in', ids],
            ['event_ticket_id.event_id.website_published', '=', true],
          ],
          { select: { event_ticket_id: { event_id: { website_url: true } } } },
        );
        const eventPages = rows.flatMap(({ id, event_ticket_id }) => {
          const url = event_ticket_id?.event_id?.website_url;
          return url ? [[id, `${url}/register`] as const] : [];
        });
        return new Map([...(await super.pagesOf(ids)), ...eventPages]);
      }

      /** Keeps tickets of published events in carts. */
      override async listed(ids: Ids): Promise<Set<Id>> {
        const rows = await this.find(
          [
            ['id', 'in', ids],
            ['event_ticket_id.event_id.website_published', '=', true],
          ],
          { select: { event_ticket_id: { event_id: { website_id: true } } } },
        );
        const sites = await this.sitesOf(rows.map(({ id }) => id));
        const listed = rows.filter(({ id, event_ticket_id: ticket }) =>
          isOnSite(ticket?.event_id?.website_id ?? null, sites.get(id) ?? null),
        );
        return new Set([...(await super.listed(ids)), ...listed.map(({ id }) => id)]);
      }

      override async wants(request: LineRequest, quantity: number, line: Id | null): Promise<Need[]> {
        const needs = await super.wants(request, quantity, line);
        const id = request.extra?.event_ticket_id;
        if (typeof id !== 'number') return needs;
        const [ticket] = await this.ctx.model(EventTicket).read([id], { select: { event_id: true } });
        return ticket ? [...needs, ...seatNeeds(ticket.id, ticket.event_id, line ?? 0, quantity)] : needs;
      }

      /** Tickets need seats of their ticket type and of their event. */
      override async needs(ids: Ids): Promise<Need[]> {
        const rows = await this.read(ids, {
          select: { product_uom_qty: true, event_ticket_id: { event_id: true } },
        });
        const seats = rows.flatMap(({ id, product_uom_qty, event_ticket_id: ticket }) => {
          if (!ticket) return [];
          return seatNeeds(ticket.id, ticket.event_id, id, Math.ceil(decimal(product_uom_qty).toNumber()));
        });
        return [...(await super.needs(ids)), ...seats];
      }

      /** Requires whole quantities: one ticket per person. */
      override async validate(ids: Ids, changed: ReadonlySet<string>): Promise<void> {
        await super.validate(ids, changed);
        if (!changed.has('product_uom_qty') && !changed.has('event_ticket_id')) return;
        const rows = await this.read(ids, { select: { product_uom_qty: true, event_ticket_id: true } });
        if (rows.every((row) => row.event_ticket_id === null || Number.isInteger(Number(row.product_uom_qty)))) return;
        const message = t(this.ctx, 'Enter a whole number of tickets.');
        throw new InvalidInput(message, { code: 'website_event.not_whole', fields: { product_uom_qty: message } });
      }

      /** Moves registrations along when lines move to another order. */
      override async afterWrite(ids: Ids, values: Values<FieldsOf<ShopLine>>): Promise<void> {
        await super.afterWrite(ids, values);
        if (typeof values.order_id !== 'number') return;
        // Carts are merged on sign-in by a visitor without access to registrations.
        const registrations = this.ctx.sudo().model(EventRegistration);
        const registrationIds = await registrations.search([['sale_order_line_id', 'in', ids]]);
        if (registrationIds.length > 0) await registrations.write(registrationIds, { sale_order_id: values.order_id });
      }

      /** Moves attendees named in one cart to the other when carts are merged. */
      override async mergedInto(line: Id, into: Id): Promise<void> {
        await super.mergedInto(line, into);
        const { order_id } = await this.get(into, { select: { order_id: true } });
        // Carts are merged on sign-in by a visitor without access to registrations.
        const registrations = this.ctx.sudo().model(EventRegistration);
        const registrationIds = await registrations.search([
          ['sale_order_line_id', '=', line],
          ['state', '=', 'draft'],
          ['name', '!=', null],
        ]);
        if (registrationIds.length > 0)
          await registrations.write(registrationIds, { sale_order_id: order_id, sale_order_line_id: into });
      }

      /** Returns the tickets of orders, except those on `excludedLines`. */
      async seatsOf(orders: Ids, excludedLines: Ids = []): Promise<LineSeats[]> {
        const lines = this.ctx.sudo().model(TicketLine); // Offered seats follow the order, regardless of who changes it.
        return lines.find(
          [
            ['order_id', 'in', orders],
            ['event_ticket_id', '!=', null],
            ['product_uom_qty', '>', '0'],
            ['id', 'not in', excludedLines],
          ],
          { select: { order_id: true, event_ticket_id: true, product_uom_qty: true } },
        );
      }

      /** Deletes attendees that were only named; lines with issued tickets can't be deleted. */
      override async beforeUnlink(ids: Ids): Promise<void> {
        // Customers removing a line from the cart have no access to registrations.
        const registrations = this.ctx.sudo().model(EventRegistration);
        const registrationIds = await registrations.search([
          ['sale_order_line_id', 'in', ids],
          ['state', '=', 'draft'],
        ]);
        if (registrationIds.length > 0) await registrations.unlink(registrationIds);
        await this.#releaseSeats(ids);
        await super.beforeUnlink(ids);
      }

      /** Returns seats offered to the waiting list to their place on it, and offers all others to the next in line. */
      async #releaseSeats(ids: Ids): Promise<void> {
        const rows = await this.ctx
          .sudo() // As above.
          .model(TicketLine)
          .find(
            [
              ['id', 'in', ids],
              ['event_ticket_id', '!=', null],
            ],
            { select: { order_id: true, event_ticket_id: { event_id: true } } },
          );
        if (rows.length === 0) return;
        const orders = [...new Set(rows.map(({ order_id }) => order_id))];
        await this.ctx.get(WaitingOffers).follow(orders, () => this.seatsOf(orders, ids));
        await this.ctx
          .model(EventEvent)
          .seatsCameFree(rows.flatMap(({ event_ticket_id }) => event_ticket_id?.event_id ?? []));
      }

      async #ticketsOf(reader: Ctx, requests: readonly OfferRequest[]) {
        const lineIds = requests.flatMap(({ line, extra }) => (line && !extra?.event_ticket_id ? [line] : []));
        const lines = lineIds.length === 0 ? [] : await this.read(lineIds, { select: { event_ticket_id: true } });
        const ofLine = new Map(lines.map(({ id, event_ticket_id }) => [id, event_ticket_id]));
        const ticketIds = new Map(
          requests.flatMap((request) => {
            const id = request.extra?.event_ticket_id ?? ofLine.get(request.line ?? 0);
            return typeof id === 'number' ? [[request, id] as const] : [];
          }),
        );
        const rows = await readTickets(reader, [...new Set(ticketIds.values())]);
        const tickets = new Map(rows.map((row) => [row.id, row]));
        return new Map(
          [...ticketIds].flatMap(([request, id]) => {
            const ticket = tickets.get(id);
            return ticket ? [[request, ticket] as const] : [];
          }),
        );
      }

      async #ticketProducts(products: Ids): Promise<Set<Id>> {
        return new Set(await ticketProducts.get(this.ctx, products));
      }
    },
);

/**
 * Seats needed of the ticket type and of the event, both included even if unlimited, because a limit may be set while a cart holds them.
 */
function seatNeeds(ticket: Id, event: Id, line: Id, quantity: number): Need[] {
  const need = { line, quantity };
  return [
    { ...need, resource: ticketResource, id: ticket },
    { ...need, resource: eventResource, id: event },
  ];
}

type SoldTicket = Awaited<ReturnType<typeof readTickets>>[number];
function readTickets(ctx: Ctx, ids: Ids) {
  return ctx.model(EventTicket).read(ids, {
    select: {
      price: true,
      product_id: true,
      name: true,
      event_id: { name: true, date_begin: true, date_end: true, date_tz: true, address_id: true },
    },
  });
}

/** Line description of tickets: event, ticket type, date and place. */
function textOf(ctx: Ctx, { name, event_id: event }: SoldTicket, venue: Place | undefined): string {
  if (!event) return name;
  const where = venue ? venueText(venue) : t(ctx, 'Online');
  return `${ticketTitle(ctx, event.name, name)}\n${whenOf(ctx, event).zoned}\n${where}`;
}

/** `Old Town Hall, Lille` */
function venueText({ name, city }: Place): string {
  return city && !name.includes(city) ? `${name}, ${city}` : name;
}

/** Time and place of a ticket's event, as stored on lines. */
interface TicketWhereabouts {
  readonly ticket_begin: Date;
  readonly ticket_end: Date;
  readonly ticket_venue: number;
  readonly ticket_address: string | null;
  readonly ticket_tz: string;
}

/** Extracts the time and place stored on a line. */
function whereaboutsOf(
  event: {
    readonly date_begin: Date;
    readonly date_end: Date;
    readonly date_tz: string;
    readonly address_id: Id | null;
  },
  venue: Place | undefined,
): TicketWhereabouts {
  return {
    ticket_begin: event.date_begin,
    ticket_end: event.date_end,
    ticket_venue: event.address_id ?? 0,
    ticket_address: venue ? addressKey(venue) : null,
    ticket_tz: event.date_tz,
  };
}
