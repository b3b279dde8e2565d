import type { Ctx, Id, Ids } from '#core';
import type { TicketsValues } from '../mails.ts';
import { EventEvent } from '../models/event-event.ts';
import { EventRegistration } from '../models/event-registration.ts';
import { factsOf } from './event-facts.ts';
import { ticketsPath } from './ticket-links.ts';

/** The tickets of one event for one address. */
export interface Parcel {
  readonly event: Id;
  readonly email: string;
  readonly name: string;
  readonly lang: string;
  readonly replyTo: string | null;
  readonly registrations: Ids;
}

/** Tickets put together by event and address: all of an order for whoever ordered, each one for whoever it is for. */
export async function parcelsOf(ctx: Ctx, ids: Ids): Promise<Parcel[]> {
  const rows = await ctx.model(EventRegistration).find(
    [
      ['id', 'in', ids],
      ['state', 'in', ['open', 'done']],
    ],
    {
      select: {
        name: true,
        email: true,
        lang: true,
        event_id: { reply_to: true },
        sale_order_id: { invoice_email: true, invoice_name: true },
      },
      order: 'id',
    },
  );
  const parcels = new Map<string, Parcel>();
  for (const { id, name, email, lang, event_id, sale_order_id: order } of rows) {
    const owners = new Map(
      [
        [order?.invoice_email, order?.invoice_name],
        [email, name],
      ].map(([mail, who]) => [mail?.toLowerCase(), { mail, who }]),
    );
    for (const { mail, who } of owners.values()) {
      if (!mail || !event_id) continue;
      const key = `${event_id.id}:${mail.toLowerCase()}`;
      const known = parcels.get(key);
      parcels.set(key, {
        event: event_id.id,
        email: mail,
        name: known?.name ?? who ?? '',
        lang: known?.lang ?? lang ?? ctx.lang,
        replyTo: event_id.reply_to,
        registrations: [...(known?.registrations ?? []), id],
      });
    }
  }
  return [...parcels.values()];
}

/** What mails with tickets say. */
export async function ticketValues(ctx: Ctx, { event, name, lang, registrations }: Parcel): Promise<TicketsValues> {
  const rows = await ctx
    .as({ lang })
    .sudo()
    .model(EventRegistration)
    .read(registrations, { select: { name: true, barcode: true, event_ticket_id: { name: true } } });
  const { website_url } = await ctx
    .as({ lang })
    .sudo()
    .model(EventEvent)
    .get(event, { select: { website_url: true } });
  return {
    ...(await factsOf(ctx, event, lang)),
    name,
    tickets: rows.map((row) => ({
      attendee: row.name ?? '',
      ticket: row.event_ticket_id?.name ?? '',
      code: row.barcode ?? '',
    })),
    file: ticketsPath(ctx, registrations),
    calendar: `${website_url}/ics`,
  };
}
