import { type Ctx, type Id, InvalidInput, isEmailAddress } from '#core';
import { EventTicket } from '../models/event-event-ticket.ts';
import { EventRegistration } from '../models/event-registration.ts';
import { fillUp, ticketLines } from './attendees.ts';
import { ticketTitle } from './ticket-title.ts';

/** A place at an event that somebody may be named for. */
export interface NamedSeat {
  /** Of its fields in forms: `attendee-12-1-name`. */
  readonly key: string;
  readonly number: number;
  readonly name: string;
  readonly email: string;
  readonly nameError: string | null;
  readonly emailError: string | null;
}
export interface NamedTicket {
  readonly title: string;
  readonly seats: readonly NamedSeat[];
}

/** More names than that are given later, in the backend: nobody fills in a form of hundreds. */
const mostNames = 30;
const line = /^[^\p{Cc}]*$/u;

/** The tickets of an order with who was named for them so far; `typed` and `errors` are those of a form that was refused. */
export async function namedTickets(
  ctx: Ctx,
  order: Id,
  typed: Readonly<Record<string, string>> = {},
  errors: Readonly<Record<string, string>> = {},
): Promise<NamedTicket[]> {
  // The order is the caller's, which whoever asks has found.
  const system = ctx.sudo();
  const lines = await ticketLines(system, order);
  const tickets = await system.model(EventTicket).read(
    lines.map(({ ticket }) => ticket),
    { select: { name: true, event_id: { name: true } } },
  );
  const named = await system.model(EventRegistration).find(
    [
      ['sale_order_line_id', 'in', lines.map(({ id }) => id)],
      ['state', '!=', 'cancel'],
    ],
    { select: { name: true, email: true, sale_order_line_id: true }, order: 'id' },
  );
  return lines.map(({ id, ticket, seats }) => {
    const about = tickets.find((one) => one.id === ticket);
    const known = named.filter(({ sale_order_line_id }) => sale_order_line_id === id);
    return {
      title: ticketTitle(ctx, about?.event_id?.name ?? '', about?.name ?? ''),
      seats: Array.from({ length: Math.min(seats, mostNames) }, (_, index) => {
        const key = keyOf(id, index);
        return {
          key,
          number: index + 1,
          name: typed[`${key}-name`] ?? known[index]?.name ?? '',
          email: typed[`${key}-email`] ?? known[index]?.email ?? '',
          nameError: errors[`${key}-name`] ?? null,
          emailError: errors[`${key}-email`] ?? null,
        };
      }),
    };
  });
}

/**
 * Keeps who the tickets of an order are for. Fields that are not sent leave what is known; those left empty stand for the buyer.
 *
 * @throws InvalidInput with a text for each field that does not fit
 */
export async function takeNames(ctx: Ctx, order: Id, fields: Readonly<Record<string, unknown>>): Promise<void> {
  if (!Object.keys(fields).some((name) => name.startsWith('attendee-'))) return;
  // The order is the caller's, which whoever takes the form has found; visitors have no rights on registrations.
  const system = ctx.sudo();
  const errors: Record<string, string> = {};
  for (const seatLine of await ticketLines(system, order)) {
    const seats = await fillUp(system, seatLine);
    for (const [index, seat] of seats.slice(0, Math.min(seatLine.seats, mostNames)).entries()) {
      const key = keyOf(seatLine.id, index);
      const given = fields[`${key}-name`];
      if (seat.state !== 'draft' || typeof given !== 'string') continue;
      const name = given.trim();
      const email = String(fields[`${key}-email`] ?? '').trim();
      if (name.length > 120 || !line.test(name)) errors[`${key}-name`] = 'This cannot be read as a name.';
      if (email !== '' && !isEmailAddress(email)) errors[`${key}-email`] = 'This is not a valid e-mail address.';
      if (Object.keys(errors).length > 0) continue;
      await system.model(EventRegistration).write(seat.id, { name: name || null, email: email || null });
    }
  }
  if (Object.keys(errors).length > 0) {
    throw new InvalidInput('Please look at the names of the attendees.', {
      code: 'website_event.bad_names',
      fields: errors,
    });
  }
}

function keyOf(line: Id, index: number): string {
  return `attendee-${line}-${index + 1}`;
}
