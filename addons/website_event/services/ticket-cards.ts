import type { Ctx, Id, Ids } from 'pergola';
import { pictureSet } from 'pergola/pages';
import { EventEvent } from '../models/event-event.ts';
import { t } from '../texts.ts';
import { type Holder, ticketPath, ticketsPath } from './ticket-links.ts';

/** Returns tickets as cards: event, date, place, attendee, and the links of their holder. The caller must have verified the holder. */
export async function ticketCards(ctx: Ctx, ids: Ids, holderOf: (id: Id) => Holder) {
  const system = ctx.sudo(); // As above.
  const rows = await system.model('event.registration').read(ids, {
    select: {
      name: true,
      email: true,
      state: true,
      cancel_asked: true,
      event_id: true,
      sale_order_id: { invoice_name: true },
      event_ticket_id: { name: true },
    },
  });
  const events = [...new Set(rows.map(({ event_id }) => event_id))];
  const facts = await ctx.model(EventEvent).factsOf(events);
  const pictures = new Map(
    (await system.model(EventEvent).read(events, { select: { image: true } })).map((event) => [event.id, event]),
  );
  const places = await placesInOrders(
    ctx,
    rows.flatMap(({ sale_order_id: order }) => order?.id ?? []),
  );
  return rows.map((row) => {
    const { id, event_id, state } = row;
    const [event, eventFacts, place] = [pictures.get(event_id), facts.get(event_id), places.get(id)];
    const valid = state === 'open' || state === 'done';
    const link = (subpage: '' | '/code' | '/ics') => (valid ? ticketPath(ctx, id, holderOf(id), subpage) : null);
    return {
      id,
      event: eventFacts?.event ?? '',
      url: eventFacts?.path ?? '/event',
      when: eventFacts?.when ?? '',
      place: eventFacts?.place ?? '',
      // Only holders of valid tickets can join.
      online: valid ? (eventFacts?.online ?? null) : null,
      picture: event?.image ? event : null,
      pictureSet: event?.image ? pictureSet('event.event', event_id, 'image', event.image, 'card') : '',
      ticket: row.event_ticket_id?.name ?? '',
      // The buyer's name is used for tickets without a named attendee.
      attendee: row.name ?? row.sale_order_id?.invoice_name ?? '',
      email: row.email ?? '',
      number: place && place.of > 1 ? t(ctx, 'Ticket {n} of {all}', { n: place.number, all: place.of }) : '',
      state,
      asked: row.cancel_asked !== null,
      page: link(''),
      code: link('/code'),
      calendar: link('/ics'),
      file: valid ? ticketsPath(ctx, [id], holderOf(id)) : null,
    };
  });
}

/** Position of each ticket within its order and event, and the number of tickets. */
async function placesInOrders(
  ctx: Ctx,
  orders: Ids,
): Promise<Map<Id, { readonly number: number; readonly of: number }>> {
  const rows = await ctx
    .sudo() // The number of tickets in the order is printed on each ticket.
    .model('event.registration')
    .find(
      [
        ['sale_order_id', 'in', [...new Set(orders)]],
        ['state', '!=', 'cancel'],
      ],
      { select: { sale_order_id: true, event_id: true }, order: 'id' },
    );
  const groups = Map.groupBy(rows, ({ sale_order_id, event_id }) => `${sale_order_id}:${event_id}`);
  return new Map(
    [...groups.values()].flatMap((group) =>
      group.map(({ id }, index) => [id, { number: index + 1, of: group.length }] as const),
    ),
  );
}
