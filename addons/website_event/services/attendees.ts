import { type Ctx, decimal, type FieldsOf, type Id, type Ids, type Values } from '#core';
import { EventRegistration } from '../models/event-registration.ts';
import { TicketOrder } from '../models/sale-order.ts';
import { TicketLine } from '../models/sale-order-line.ts';
import { sendTickets } from './ticket-mail.ts';

/** Who ordered, for registrations nobody was named for. */
interface Buyer {
  readonly order: Id;
  readonly origin: string | null;
  readonly partner: Id | null;
  readonly name: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly lang: string | null;
}

/**
 * Makes the registrations of confirmed orders: one for each ticket, in the name of whoever was named at checkout, else of the buyer. Tickets leave by
 * mail after the commit. Doing it again changes nothing.
 */
export async function openAttendees(ctx: Ctx, orders: Ids): Promise<void> {
  // Whoever confirms an order may, whatever their rights on registrations.
  const system = ctx.sudo();
  const opened: Id[] = [];
  for (const order of orders) {
    const buyer = await buyerOf(system, order);
    for (const line of await ticketLines(system, order)) {
      const there = await registrationsOf(system, line);
      const surplus = there.slice(line.seats).filter(({ state }) => state === 'draft');
      if (surplus.length > 0) await system.model(EventRegistration).unlink(surplus.map(({ id }) => id));
      const named = there.slice(0, line.seats).filter(({ state }) => state === 'draft');
      opened.push(...(await openNamed(system, buyer, named)));
      const { name, email, phone } = buyer;
      const values = { ...openedFor(system, buyer), name, email, phone };
      opened.push(...(await addTo(system, line, line.seats - there.length, values)));
    }
  }
  await sendTickets(ctx, opened);
}

/** What confirmed registrations have of their order. */
function openedFor(system: Ctx, { origin, partner, lang }: Buyer) {
  return { state: 'open', date_open: system.now(), origin, partner_id: partner, lang } as const;
}

/** Confirms registrations that were made at checkout. */
async function openNamed(system: Ctx, buyer: Buyer, rows: readonly Named[]): Promise<Ids> {
  if (rows.length === 0) return [];
  await completeNames(system, buyer, rows);
  const ids = rows.map(({ id }) => id);
  await system.model(EventRegistration).write(ids, openedFor(system, buyer));
  return ids;
}

/** Makes the unconfirmed registrations of orders, as many as they have tickets. */
export async function nameAttendees(ctx: Ctx, orders: Ids): Promise<void> {
  // Whoever may send or pay an order may, whatever their rights on registrations.
  const system = ctx.sudo();
  for (const order of orders) {
    for (const line of await ticketLines(system, order)) await fillUp(system, line);
  }
}

/** Takes the registrations of cancelled orders back; those who came stay. */
export async function cancelAttendees(ctx: Ctx, orders: Ids): Promise<void> {
  // Whoever cancels an order may, whatever their rights on registrations.
  const registrations = ctx.sudo().model(EventRegistration);
  const ids = await registrations.search([
    ['sale_order_id', 'in', orders],
    ['state', 'in', ['draft', 'open']],
  ]);
  await registrations.cancelAll(ids, 'registration');
}

/** Deletes who was named on orders that are no more, and has no ticket. */
export async function forgetAttendees(ctx: Ctx, orders: Ids): Promise<void> {
  // Whoever may delete the order may.
  const registrations = ctx.sudo().model(EventRegistration);
  const ids = await registrations.search([
    ['sale_order_id', 'in', orders],
    ['state', '=', 'draft'],
  ]);
  if (ids.length > 0) await registrations.unlink(ids);
}

/** Who a registration is for. */
interface Named {
  readonly id: Id;
  readonly state: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly phone: string | null;
}

interface SeatLine {
  readonly id: Id;
  readonly order: Id;
  readonly ticket: Id;
  readonly event: Id;
  readonly seats: number;
}

/** The lines of an order that are for tickets. */
export async function ticketLines(system: Ctx, order: Id): Promise<SeatLine[]> {
  const rows = await system.model(TicketLine).find(
    [
      ['order_id', '=', order],
      ['event_ticket_id', '!=', null],
    ],
    { select: { product_uom_qty: true, event_ticket_id: { event_id: true } } },
  );
  return rows.flatMap(({ id, product_uom_qty, event_ticket_id: ticket }) =>
    ticket
      ? [
          {
            id,
            order,
            ticket: ticket.id,
            event: ticket.event_id,
            seats: Math.ceil(decimal(product_uom_qty).toNumber()),
          },
        ]
      : [],
  );
}

/** The line's registrations that are not cancelled, as many as it has seats at least; new ones have no name yet. */
export async function fillUp(system: Ctx, line: SeatLine): Promise<Named[]> {
  const there = await registrationsOf(system, line);
  if (there.length >= line.seats) return there;
  await addTo(system, line, line.seats - there.length, {});
  return registrationsOf(system, line);
}

/** The line's registrations that are not cancelled, the oldest first. */
function registrationsOf(system: Ctx, line: SeatLine): Promise<Named[]> {
  return system.model(EventRegistration).find(
    [
      ['sale_order_line_id', '=', line.id],
      ['state', '!=', 'cancel'],
    ],
    { select: { state: true, name: true, email: true, phone: true }, order: 'id' },
  );
}

/** So many more registrations for a line. */
async function addTo(
  system: Ctx,
  line: SeatLine,
  number: number,
  values: Values<FieldsOf<EventRegistration>>,
): Promise<Ids> {
  if (number <= 0) return [];
  const of = {
    event_id: line.event,
    event_ticket_id: line.ticket,
    sale_order_id: line.order,
    sale_order_line_id: line.id,
  };
  return system.model(EventRegistration).create(Array.from({ length: number }, () => ({ ...values, ...of })));
}

/** Whoever ordered stands in for those who were not named. */
async function completeNames(system: Ctx, buyer: Buyer, rows: readonly Named[]): Promise<void> {
  const registrations = system.model(EventRegistration);
  for (const { id, name, email, phone } of rows) {
    if (name && email && phone) continue;
    await registrations.write(id, {
      name: name ?? buyer.name,
      email: email ?? buyer.email,
      phone: phone ?? (name ? null : buyer.phone),
    });
  }
}

async function buyerOf(system: Ctx, order: Id): Promise<Buyer> {
  const row = await system.model(TicketOrder).get(order, {
    select: { name: true, partner_id: true, invoice_name: true, invoice_email: true, invoice_phone: true, lang: true },
  });
  return {
    order,
    origin: row.name,
    partner: row.partner_id,
    name: row.invoice_name,
    email: row.invoice_email,
    phone: row.invoice_phone,
    lang: row.lang,
  };
}
