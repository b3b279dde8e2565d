import { confirmedEmail, sameEmail } from '@pergola/base';
import { pagerOf } from '@pergola/website';
import type { Ctx, Domain, FieldsOf, Id } from 'pergola';
import { EventRegistration } from '../models/event-registration.ts';
import { whenOf } from '../services/event-dates.ts';
import { ticketCards } from '../services/ticket-cards.ts';
import { type Holder, ticketPath } from '../services/ticket-links.ts';

/** Tickets per page of the list. */
const PER_PAGE = 20;

/** Tickets of the signed-in user: ordered by them, or issued to their confirmed email address. */
async function ticketDomain(ctx: Ctx): Promise<Domain<FieldsOf<EventRegistration>>> {
  const email = await confirmedEmail(ctx);
  const ordered = ['partner_id', '=', ctx.user.partnerId ?? 0] as const;
  return [
    ['state', 'in', ['open', 'done', 'cancel']],
    ...(email === null ? [ordered] : (['|', ordered, ...sameEmail('email', email)] as const)),
  ];
}

/** Number of the caller's tickets for upcoming events. */
export async function countTickets(ctx: Ctx): Promise<number> {
  return ctx
    .sudo() // The domain only matches the caller's tickets.
    .model(EventRegistration)
    .count([...(await ticketDomain(ctx)), ['state', '=', 'open'], ['event_id.date_end', '>', ctx.now()]]);
}

/** Values for the caller's ticket list: upcoming events first, or past events. */
export async function ownTickets(ctx: Ctx, { page, past }: { readonly page: number; readonly past: boolean }) {
  const model = ctx.sudo().model(EventRegistration); // The domain only matches the caller's tickets.
  const domain = [...(await ticketDomain(ctx)), ['event_id.date_end', past ? '<=' : '>', ctx.now()] as const];
  const pager = pagerOf({
    page,
    count: await model.count(domain),
    size: PER_PAGE,
    address: (number) => `/my/tickets?${new URLSearchParams({ ...(past ? { past: '1' } : {}), page: String(number) })}`,
  });
  const rows = await model.find(domain, {
    select: { partner_id: true, email: true },
    order: past ? 'event_id.date_begin desc, id' : 'event_id.date_begin, id',
    limit: PER_PAGE,
    offset: pager.offset,
  });
  const partnerId = ctx.user.partnerId;
  const holders = new Map(
    rows.map(
      ({ id, partner_id, email }) => [id, partner_id === partnerId ? `partner:${partnerId}` : (email ?? '')] as const,
    ),
  );
  return { tickets: await ticketCards(ctx, [...holders.keys()], (id) => holders.get(id) ?? ''), pager, past };
}

/** Values and errors of a rejected form on the ticket page. */
export interface RejectedForm {
  readonly values: Readonly<Record<string, string>>;
  readonly errors: Readonly<Record<string, string>>;
  readonly message: string;
}

/** Page of one ticket, for its holder. */
export async function ticketPage(
  ctx: Ctx,
  id: Id,
  holder: Holder,
  status: { done?: string; refused?: RejectedForm } = {},
) {
  const [ticket] = await ticketCards(ctx, [id], () => holder);
  const rights = (await ctx.model(EventRegistration).holderRights([id])).get(id);
  const { refused: rejected } = status;
  return {
    ticket,
    path: ticketPath(ctx, id, holder),
    change: rights?.change ?? false,
    cancel: rights?.cancel ?? 'no',
    paid: rights?.paid ?? false,
    until: rights ? whenOf(ctx, { date_begin: rights.until, date_end: rights.until, date_tz: rights.zone }).zoned : '',
    done: status.done ?? null,
    values: rejected?.values ?? { name: ticket?.attendee ?? '', email: ticket?.email ?? '' },
    errors: rejected?.errors ?? {},
    message: rejected?.message ?? null,
  };
}
