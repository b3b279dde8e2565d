import type { Ctx, Id, Ids } from '#core';
import { sendTicketsJob } from '../jobs/send-tickets.ts';
import { cancelledMail } from '../mails.ts';
import { EventRegistration } from '../models/event-registration.ts';
import { factsOf } from './event-facts.ts';

/** Sends the tickets of registrations after the commit, with their files; `again` for those who ask once more. */
export async function sendTickets(ctx: Ctx, ids: Ids, about: { again?: boolean } = {}): Promise<void> {
  if (ids.length === 0) return;
  await ctx.jobs.enqueue(sendTicketsJob, {
    registrations: [...ids],
    ...(about.again ? { again: ctx.now().getTime() } : {}),
  });
}

/** Tells those who had a ticket that it is no longer valid. One mail to each address for each event. */
export async function tellOfCancellation(ctx: Ctx, ids: Ids, because: 'registration' | 'event'): Promise<void> {
  // Whoever may cancel registrations may let their owners know.
  const rows = await ctx
    .sudo()
    .model(EventRegistration)
    .read(ids, { select: { name: true, email: true, lang: true, event_id: true } });
  const told = new Set<string>();
  for (const { name, email, lang, event_id } of rows) {
    const key = `${event_id}:${email?.toLowerCase()}`;
    if (!email || told.has(key)) continue;
    told.add(key);
    await sendTo(ctx, { email, name, lang: lang ?? ctx.lang }, event_id, because === 'event');
  }
}

async function sendTo(
  ctx: Ctx,
  { email, name, lang }: { email: string; name: string | null; lang: string },
  event: Id,
  whole: boolean,
): Promise<void> {
  await ctx.mail.send(cancelledMail, {
    to: { email, name: name ?? undefined, lang },
    values: { ...(await factsOf(ctx, event, lang)), name: name ?? '', whole },
  });
}
