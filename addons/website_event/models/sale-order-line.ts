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
import {
  type LineRequest,
  type Need,
  type Offer,
  type OfferRequest,
  type OrderTerms,
  ProductProduct,
} from '#addons/sale';
import { isOnSite, ShopOrderLine } from '#addons/website_sale';
import { whenOf } from '../services/event-dates.ts';
import { addressKey, type Place, placesOf, supplyOfEvent } from '../services/places.ts';
import { eventResource, ticketResource } from '../services/seats.ts';
import { type LineSeats, WaitingOffers } from '../services/waiting-offers.ts';
import { t } from '../texts.ts';
import { EventEvent } from './event-event.ts';
import { EventTicket, ticketTitle } from './event-event-ticket.ts';
import { EventRegistration } from './event-registration.ts';

type ShopLine = InstanceType<typeof ShopOrderLine>;

/** Which products are for tickets. */
export const ticketProducts = kept(
  'website_event.ticket_products',
  (ctx, products: Ids): Promise<Ids> =>
    ctx.model(ProductProduct).search([
      ['id', 'in', products],
      ['active', 'in', [true, false]],
      ['product_tmpl_id.event_ok', '=', true],
    ]),
);

/** Lines of orders may be for tickets: with their price, their seats, and the people they are for. */
export const TicketLine = extend(
  ShopOrderLine,
  {
    event_ticket_id: f.many2one('event.event.ticket', { ondelete: 'restrict', index: true, label: 'Ticket' }),
    event_id: f.many2one('event.event', { related: 'event_ticket_id.event_id', label: 'Event' }),
    /** When and where the event was to take place when the ticket was ordered; empty for tickets of before that was kept. */
    ticket_begin: f.datetime({ readonly: true, copy: false }),
    ticket_end: f.datetime({ readonly: true, copy: false }),
    /** The contact that is the venue; 0 for an event online. */
    ticket_venue: f.integer({ readonly: true, copy: false }),
    /** The venue's address as `addressKey` has it, and the event's time zone; empty for tickets of before that was kept. */
    ticket_address: f.char({ size: 64, readonly: true, copy: false }),
    ticket_tz: f.char({ size: 64, readonly: true, copy: false }),
    registration_ids: f.one2many('event.registration', 'sale_order_line_id', {
      label: 'Registrations',
      groups: 'base.group_user',
    }),
  },
  (Base) =>
    class extends Base {
      /** Tickets have a price of their own; products for tickets are not sold without one. */
      override async offers(terms: OrderTerms, requests: readonly OfferRequest[]): Promise<(Offer | null)[]> {
        const reader = terms.lang ? this.ctx.as({ lang: terms.lang }) : this.ctx;
        const tickets = await this.#ticketsOf(reader, requests);
        const without = await this.#ticketProducts(requests.map(({ product }) => product));
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
          if (!ticket) return without.has(request.product) ? null : offer;
          return ticket.product_id === request.product && offer
            ? { ...offer, name: textOf(reader, ticket, venues.get(ticket.event_id?.address_id ?? 0)) }
            : null;
        });
      }

      /** Lines keep what the event was like when its ticket was ordered, however they are made. */
      override async beforeCreate(
        values: readonly Values<FieldsOf<InstanceType<typeof Base>>>[],
      ): Promise<readonly Values<FieldsOf<InstanceType<typeof Base>>>[]> {
        const complete = await super.beforeCreate(values);
        const tickets = complete.map((value) => (value as { event_ticket_id?: unknown }).event_ticket_id);
        const known = await this.#whereabouts(tickets.flatMap((id) => (typeof id === 'number' ? [id] : [])));
        return complete.map((value, at) => ({ ...value, ...known.get(Number(tickets[at])) }));
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
        const known = await this.#whereabouts(rows.flatMap(({ event_ticket_id }) => event_ticket_id ?? []));
        for (const { id, event_ticket_id } of rows) {
          const values = known.get(event_ticket_id ?? 0);
          if (values) await this.write(id, values);
        }
      }

      /** When and where the events of tickets take place now, as values of lines. */
      async #whereabouts(tickets: Ids): Promise<Map<Id, TicketWhereabouts>> {
        if (tickets.length === 0) return new Map();
        const rows = await this.ctx
          .sudo() // When and where an event takes place is no secret of who sells its tickets.
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

      /** Products for tickets are sold all the same, with the ticket they are for: from the page of its event. */
      override async notOffered(request: OfferRequest): Promise<string> {
        const isTicket = (await this.#ticketProducts([request.product])).has(request.product);
        if (!isTicket) return super.notOffered(request);
        return t(
          this.ctx,
          'This product is for tickets: they are ordered on the page of their event, where seats are kept.',
        );
      }

      /** Each kind of ticket has a line of its own. */
      override async sameLine(lines: Ids, request: LineRequest): Promise<Id | null> {
        const wanted = request.extra?.event_ticket_id ?? null;
        const rows = await this.read(lines, { select: { event_ticket_id: true } });
        const same = rows.filter(({ event_ticket_id }) => event_ticket_id === wanted).map(({ id }) => id);
        return same.length === 0 ? null : super.sameLine(same, request);
      }

      /** What makes a line another one although its product is the same. */
      override async extraOf(id: Id): Promise<Record<string, unknown>> {
        const { event_ticket_id } = await this.get(id, { select: { event_ticket_id: true } });
        return { ...(await super.extraOf(id)), ...(event_ticket_id === null ? {} : { event_ticket_id }) };
      }

      /** A ticket leads to its event, where that is published. */
      override async pagesOf(ids: Ids): Promise<Map<Id, string>> {
        const rows = await this.find(
          [
            ['id', 'in', ids],
            ['event_ticket_id.event_id.website_published', '=', true],
          ],
          { select: { event_ticket_id: { event_id: { website_url: true } } } },
        );
        const own = rows.flatMap(({ id, event_ticket_id }) => {
          const url = event_ticket_id?.event_id?.website_url;
          return url ? [[id, `${url}/register`] as const] : [];
        });
        return new Map([...(await super.pagesOf(ids)), ...own]);
      }

      /** Tickets of published events stay in carts. */
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
        const others = await super.wants(request, quantity, line);
        const id = request.extra?.event_ticket_id;
        if (typeof id !== 'number') return others;
        const [ticket] = await this.ctx.model(EventTicket).read([id], { select: { event_id: true } });
        return ticket ? [...others, ...seatNeeds(ticket.id, ticket.event_id, line ?? 0, quantity)] : others;
      }

      /** Tickets need seats of their kind and of their event. */
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

      /** Tickets are whole: one for each person. */
      override async validate(ids: Ids, changed: ReadonlySet<string>): Promise<void> {
        await super.validate(ids, changed);
        if (!changed.has('product_uom_qty') && !changed.has('event_ticket_id')) return;
        const rows = await this.read(ids, { select: { product_uom_qty: true, event_ticket_id: true } });
        if (rows.every((row) => row.event_ticket_id === null || Number.isInteger(Number(row.product_uom_qty)))) return;
        const message = t(this.ctx, 'Tickets are sold whole: enter a whole number.');
        throw new InvalidInput(message, { code: 'website_event.not_whole', fields: { product_uom_qty: message } });
      }

      /** Lines that go to another order take their people along. */
      override async afterWrite(ids: Ids, values: Values<FieldsOf<ShopLine>>): Promise<void> {
        await super.afterWrite(ids, values);
        if (typeof values.order_id !== 'number') return;
        // The carts of a visitor who signs in are put together, by somebody who has no rights on registrations.
        const registrations = this.ctx.sudo().model(EventRegistration);
        const named = await registrations.search([['sale_order_line_id', 'in', ids]]);
        if (named.length > 0) await registrations.write(named, { sale_order_id: values.order_id });
      }

      /** People who were named for tickets of one cart are named for those of the other. */
      override async mergedInto(line: Id, into: Id): Promise<void> {
        await super.mergedInto(line, into);
        const { order_id } = await this.get(into, { select: { order_id: true } });
        // The carts of a visitor who signs in are put together, by somebody who has no rights on registrations.
        const registrations = this.ctx.sudo().model(EventRegistration);
        const named = await registrations.search([
          ['sale_order_line_id', '=', line],
          ['state', '=', 'draft'],
          ['name', '!=', null],
        ]);
        if (named.length > 0) await registrations.write(named, { sale_order_id: order_id, sale_order_line_id: into });
      }

      /** The tickets of orders, without those lines. */
      async seatsOf(orders: Ids, without: Ids = []): Promise<LineSeats[]> {
        const lines = this.ctx.sudo().model(TicketLine); // Offered seats follow whoever changes the order.
        return lines.find(
          [
            ['order_id', 'in', orders],
            ['event_ticket_id', '!=', null],
            ['product_uom_qty', '>', '0'],
            ['id', 'not in', without],
          ],
          { select: { order_id: true, event_ticket_id: true, product_uom_qty: true } },
        );
      }

      /** People who were only named go with the line; whoever has a ticket keeps the line. */
      override async beforeUnlink(ids: Ids): Promise<void> {
        // The customer takes a line out of the cart, and has no rights on registrations.
        const registrations = this.ctx.sudo().model(EventRegistration);
        const named = await registrations.search([
          ['sale_order_line_id', 'in', ids],
          ['state', '=', 'draft'],
        ]);
        if (named.length > 0) await registrations.unlink(named);
        await this.#seatsGo(ids);
        await super.beforeUnlink(ids);
      }

      /** Seats the waiting list was offered go back to their place on it, all others to whoever is next. */
      async #seatsGo(ids: Ids): Promise<void> {
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
        const known = requests.flatMap(({ line, extra }) => (line && !extra?.event_ticket_id ? [line] : []));
        const lines = known.length === 0 ? [] : await this.read(known, { select: { event_ticket_id: true } });
        const ofLine = new Map(lines.map(({ id, event_ticket_id }) => [id, event_ticket_id]));
        const wanted = new Map(
          requests.flatMap((request) => {
            const id = request.extra?.event_ticket_id ?? ofLine.get(request.line ?? 0);
            return typeof id === 'number' ? [[request, id] as const] : [];
          }),
        );
        const rows = await readTickets(reader, [...new Set(wanted.values())]);
        const tickets = new Map(rows.map((row) => [row.id, row]));
        return new Map(
          [...wanted].flatMap(([request, id]) => {
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

/** Seats of the ticket and of the event; both also while they have no limit, as they may get one while a cart holds them. */
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

/** What a line says of its tickets: the event and the ticket, when it is, and where. */
function textOf(ctx: Ctx, { name, event_id: event }: SoldTicket, venue: Place | undefined): string {
  if (!event) return name;
  const where = venue ? venueText(venue) : t(ctx, 'Online');
  return `${ticketTitle(ctx, event.name, name)}\n${whenOf(ctx, event).zoned}\n${where}`;
}

/** `Old Town Hall, Lille` */
function venueText({ name, city }: Place): string {
  return city && !name.includes(city) ? `${name}, ${city}` : name;
}

/** When and where the event of a ticket takes place, as a line keeps it. */
interface TicketWhereabouts {
  readonly ticket_begin: Date;
  readonly ticket_end: Date;
  readonly ticket_venue: number;
  readonly ticket_address: string | null;
  readonly ticket_tz: string;
}

/** What a line keeps of an event. */
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
