import { type Ctx, decimal, type Id, type Ids } from '#core';
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
      const all = await fillUp(system, buyer, line);
      const wanted = all.slice(0, line.seats);
      const surplus = all.slice(line.seats).filter(({ state }) => state === 'draft');
      await system.model(EventRegistration).unlink(surplus.map(({ id }) => id));
      const waiting = wanted.filter(({ state }) => state === 'draft').map(({ id }) => id);
      if (waiting.length === 0) continue;
      await completeNames(system, buyer, waiting);
      await system.model(EventRegistration).write(waiting, {
        state: 'open',
        date_open: ctx.now(),
        origin: buyer.origin,
        partner_id: buyer.partner,
        lang: buyer.lang,
      });
      opened.push(...waiting);
    }
  }
  await sendTickets(ctx, opened);
}

/** Makes the unconfirmed registrations of orders, as many as they have tickets. */
export async function nameAttendees(ctx: Ctx, orders: Ids): Promise<void> {
  // Whoever may send or pay an order may, whatever their rights on registrations.
  const system = ctx.sudo();
  for (const order of orders) {
    for (const line of await ticketLines(system, order)) await fillUp(system, { order }, line);
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
export async function fillUp(system: Ctx, buyer: { readonly order: Id }, line: SeatLine) {
  const registrations = system.model(EventRegistration);
  const read = () =>
    registrations.find(
      [
        ['sale_order_line_id', '=', line.id],
        ['state', '!=', 'cancel'],
      ],
      { select: { state: true, name: true, email: true, phone: true }, order: 'id' },
    );
  const there = await read();
  const missing = line.seats - there.length;
  if (missing <= 0) return there;
  await registrations.create(
    Array.from({ length: missing }, () => ({
      event_id: line.event,
      event_ticket_id: line.ticket,
      sale_order_id: buyer.order,
      sale_order_line_id: line.id,
    })),
  );
  return read();
}

/** Whoever ordered stands in for those who were not named. */
async function completeNames(system: Ctx, buyer: Buyer, ids: Ids): Promise<void> {
  const registrations = system.model(EventRegistration);
  for (const { id, name, email, phone } of await registrations.read(ids, {
    select: { name: true, email: true, phone: true },
  })) {
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
