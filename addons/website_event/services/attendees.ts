import { ShopOrder } from '@pergola/website_sale';
import {
  app,
  decimal,
  type FieldsOf,
  type Id,
  type Ids,
  InvalidInput,
  isEmailAddress,
  readableAddress,
  service,
  type Values,
} from 'pergola';
import type { Ticket } from '../islands/attendees.props.ts';
import { EventTicket, ticketTitle } from '../models/event-event-ticket.ts';
import { EventRegistration } from '../models/event-registration.ts';
import { TicketLine } from '../models/sale-order-line.ts';

/** Buyer, used for registrations without a named attendee. */
interface Buyer {
  readonly origin: string | null;
  readonly partner: Id | null;
  readonly name: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly lang: string | null;
}

/** Attendee of a registration. */
interface NamedAttendee {
  readonly id: Id;
  readonly state: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly phone: string | null;
}

/** An order line with tickets. */
interface SeatLine {
  readonly id: Id;
  readonly order: Id;
  readonly ticket: Id;
  readonly event: Id;
  readonly seats: number;
  /** Whether its event was cancelled. */
  readonly isCancelled: boolean;
}

type Texts = Readonly<Record<string, string>>;

/** Maximum number of attendees named at checkout; the rest can be entered in the backend. */
const MAX_NAMES = 30;
const line = /^[^\p{Cc}]*$/u;

/** Attendees of orders: named at checkout, registered when the order is confirmed. */
export class Attendees extends service('website_event.attendees', { ctx: app.ctx }) {
  // Users who change, pay, confirm, cancel or delete an order may not have access to registrations. The order checks that it belongs to the
  // caller.
  readonly #system = this.ctx.sudo();
  readonly #registrations = this.#system.model(EventRegistration);

  /**
   * Registers attendees for confirmed orders: one per ticket, with the name given at checkout or else the buyer's. Tickets are emailed
   * after the commit. Idempotent; skips cancelled events.
   */
  async open(orders: Ids): Promise<void> {
    const opened: Id[] = [];
    for (const order of orders) {
      const buyer = await this.#buyer(order);
      for (const line of await this.#lines(order)) {
        if (line.isCancelled) continue;
        const registrations = await this.#registrationsOf(line);
        const surplus = registrations.slice(line.seats).filter(({ state }) => state === 'draft');
        if (surplus.length > 0) await this.#registrations.unlink(surplus.map(({ id }) => id));
        const drafts = registrations.slice(0, line.seats).filter(({ state }) => state === 'draft');
        opened.push(...(await this.#confirmDrafts(buyer, drafts)));
        const { name, email, phone } = buyer;
        const values = { ...this.#confirmedValues(buyer), name, email, phone };
        opened.push(...(await this.#add(line, line.seats - registrations.length, values)));
      }
    }
    await this.#registrations.sendTickets(opened);
  }

  /** Creates draft registrations for orders, one per ticket. */
  async prepare(orders: Ids): Promise<void> {
    for (const order of orders) {
      for (const line of await this.#lines(order)) if (!line.isCancelled) await this.#fillUp(line);
    }
  }

  /** Cancels the registrations of cancelled orders, unless the attendee has checked in. */
  async cancel(orders: Ids): Promise<void> {
    const ids = await this.#registrations.search([
      ['sale_order_id', 'in', orders],
      ['state', 'in', ['draft', 'open']],
    ]);
    await this.#registrations.cancelAll(ids, 'registration');
  }

  /** Deletes named attendees without a ticket from deleted orders. */
  async forget(orders: Ids): Promise<void> {
    const ids = await this.#registrations.search([
      ['sale_order_id', 'in', orders],
      ['state', '=', 'draft'],
    ]);
    if (ids.length > 0) await this.#registrations.unlink(ids);
  }

  /** Returns the tickets of an order with the attendees named so far; `submitted` and `errors` come from a rejected form. */
  async named(order: Id, submitted: Texts = {}, errors: Texts = {}): Promise<Ticket[]> {
    const lines = await this.#lines(order);
    const tickets = await this.#system.model(EventTicket).read(
      lines.map(({ ticket }) => ticket),
      { select: { name: true, event_id: { name: true } } },
    );
    const registrations = await this.#registrations.find(
      [
        ['sale_order_line_id', 'in', lines.map(({ id }) => id)],
        ['state', '!=', 'cancel'],
      ],
      { select: { name: true, email: true, sale_order_line_id: true }, order: 'id' },
    );
    return lines.map(({ id, ticket, seats }) => {
      const ticketRow = tickets.find((row) => row.id === ticket);
      const lineAttendees = registrations.filter(({ sale_order_line_id }) => sale_order_line_id === id);
      return {
        title: ticketTitle(this.ctx, ticketRow?.event_id?.name ?? '', ticketRow?.name ?? ''),
        seats: Array.from({ length: Math.min(seats, MAX_NAMES) }, (_, index) => {
          const key = keyOf(id, index);
          return {
            key,
            number: index + 1,
            name: submitted[`${key}-name`] ?? lineAttendees[index]?.name ?? '',
            email: submitted[`${key}-email`] ?? lineAttendees[index]?.email ?? '',
            same: submitted[`${key}-same`] === 'on',
            nameError: errors[`${key}-name`] ?? null,
            emailError: errors[`${key}-email`] ?? null,
          };
        }),
      };
    });
  }

  /**
   * Saves the attendees of an order. Missing fields keep the current values; empty fields, or fields equal to the buyer's, mean the buyer.
   *
   * @throws InvalidInput with a message per invalid field
   */
  async name(order: Id, fields: Readonly<Record<string, unknown>>): Promise<void> {
    if (!Object.keys(fields).some((name) => name.startsWith('attendee-'))) return;
    const errors: Record<string, string> = {};
    for (const seatLine of await this.#lines(order)) {
      const seats = await this.#fillUp(seatLine);
      for (const [index, seat] of seats.slice(0, Math.min(seatLine.seats, MAX_NAMES)).entries()) {
        const key = keyOf(seatLine.id, index);
        const typedName = fields[`${key}-name`];
        if (seat.state !== 'draft' || typeof typedName !== 'string') continue;
        const isSame = fields[`${key}-same`] === 'on';
        const name = isSame ? '' : typedName.trim();
        const email = isSame ? '' : readableAddress(String(fields[`${key}-email`] ?? '').trim());
        if (name.length > 120 || !line.test(name)) errors[`${key}-name`] = 'Enter a valid name.';
        if (email !== '' && !isEmailAddress(email)) errors[`${key}-email`] = 'Enter a valid email address.';
        if (Object.keys(errors).length > 0) continue;
        await this.#registrations.write(seat.id, { name: name || null, email: email || null });
      }
    }
    if (Object.keys(errors).length > 0) {
      throw new InvalidInput('Check the attendee details.', {
        code: 'website_event.bad_names',
        fields: errors,
      });
    }
  }

  async #lines(order: Id): Promise<SeatLine[]> {
    const rows = await this.#system.model(TicketLine).find(
      [
        ['order_id', '=', order],
        ['event_ticket_id', '!=', null],
      ],
      { select: { product_uom_qty: true, event_ticket_id: { event_id: { state: true } } } },
    );
    return rows.flatMap(({ id, product_uom_qty, event_ticket_id: ticket }) => {
      const seats = Math.ceil(decimal(product_uom_qty).toNumber());
      const event = ticket?.event_id;
      return ticket && event
        ? [{ id, order, ticket: ticket.id, event: event.id, seats, isCancelled: event.state === 'cancel' }]
        : [];
    });
  }

  /** Returns the line's active registrations, adding unnamed ones until there is one per seat. */
  async #fillUp(line: SeatLine): Promise<NamedAttendee[]> {
    const registrations = await this.#registrationsOf(line);
    if (registrations.length >= line.seats) return registrations;
    await this.#add(line, line.seats - registrations.length, {});
    return this.#registrationsOf(line);
  }

  /** The line's active registrations, oldest first. */
  #registrationsOf(line: SeatLine): Promise<NamedAttendee[]> {
    return this.#registrations.find(
      [
        ['sale_order_line_id', '=', line.id],
        ['state', '!=', 'cancel'],
      ],
      { select: { state: true, name: true, email: true, phone: true }, order: 'id' },
    );
  }

  /** Adds registrations to a line. */
  async #add(line: SeatLine, number: number, values: Values<FieldsOf<EventRegistration>>): Promise<Ids> {
    if (number <= 0) return [];
    const references = {
      event_id: line.event,
      event_ticket_id: line.ticket,
      sale_order_id: line.order,
      sale_order_line_id: line.id,
    };
    return this.#registrations.create(Array.from({ length: number }, () => ({ ...values, ...references })));
  }

  /** Confirms registrations created at checkout, filling missing names with the buyer's. */
  async #confirmDrafts(buyer: Buyer, rows: readonly NamedAttendee[]): Promise<Ids> {
    if (rows.length === 0) return [];
    for (const { id, name, email, phone } of rows) {
      if (name && email && phone) continue;
      await this.#registrations.write(id, {
        name: name ?? buyer.name,
        email: email ?? buyer.email,
        phone: phone ?? (name ? null : buyer.phone),
      });
    }
    const ids = rows.map(({ id }) => id);
    await this.#registrations.write(ids, this.#confirmedValues(buyer));
    return ids;
  }

  /** Values that confirmed registrations take from their order. */
  #confirmedValues({ origin, partner, lang }: Buyer) {
    return { state: 'open', date_open: this.ctx.now(), origin, partner_id: partner, lang } as const;
  }

  async #buyer(order: Id): Promise<Buyer> {
    const row = await this.#system.model(ShopOrder).get(order, {
      select: {
        name: true,
        partner_id: true,
        invoice_name: true,
        invoice_email: true,
        invoice_phone: true,
        lang: true,
      },
    });
    return {
      origin: row.name,
      partner: row.partner_id,
      name: row.invoice_name,
      email: row.invoice_email,
      phone: row.invoice_phone,
      lang: row.lang,
    };
  }
}

function keyOf(line: Id, index: number): string {
  return `attendee-${line}-${index + 1}`;
}
