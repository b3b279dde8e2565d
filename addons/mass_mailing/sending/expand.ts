import type { Ctx, Id, JobRun } from '#core';
import { Exclusion } from '../models/exclusion.ts';
import { Mailing } from '../models/mailing.ts';
import { MailRecipient } from '../models/recipient.ts';
import { Subscription } from '../models/subscription.ts';
import { LostRun } from '../services/delivery-log.ts';

/** Subscriptions looked at in one transaction. */
const BATCH = 500;

interface Order {
  readonly mailing: Id;
  readonly runner: string;
  readonly end: number;
}

/**
 * Makes a row for everybody the mailing goes to: each address once, however many of its lists it is on. A batch and the place it ended at
 * are one transaction. Answers whether it came to the end.
 *
 * @throws LostRun when another run has the mailing
 */
export async function expandRecipients({ write, signal }: JobRun<object>, order: Order): Promise<boolean> {
  for (;;) {
    if (signal.aborted || Date.now() >= order.end) return false;
    if (await write((ctx) => expandBatch(ctx, order))) return true;
  }
}

async function expandBatch(ctx: Ctx, { mailing, runner }: Order): Promise<boolean> {
  await ctx.lock(Mailing, [mailing]);
  const mailings = ctx.model(Mailing);
  const about = await mailings.get(mailing, {
    select: { runner: true, cursor: true, expanded: true, contact_list_ids: true },
  });
  if (about.runner !== runner) throw new LostRun();
  if (about.expanded) return true;
  const rows = await ctx.model(Subscription).find(
    [
      ['list_id', 'in', about.contact_list_ids],
      ['opt_out', '=', false],
      ['id', '>', about.cursor ?? 0],
    ],
    { select: { contact_id: { email: true } }, order: 'id', limit: BATCH },
  );
  const people = new Map(
    rows.flatMap(({ contact_id }) => (contact_id ? [[contact_id.email, contact_id.id] as const] : [])),
  );
  await addRecipients(ctx, mailing, people);
  const expanded = rows.length < BATCH;
  await mailings.write(mailing, { cursor: rows.at(-1)?.id ?? about.cursor, expanded });
  return expanded;
}

async function addRecipients(ctx: Ctx, mailing: Id, people: ReadonlyMap<string, Id>): Promise<void> {
  const emails = [...people.keys()];
  const recipients = ctx.model(MailRecipient);
  const there = await recipients.find(
    [
      ['mass_mailing_id', '=', mailing],
      ['email', 'in', emails],
    ],
    { select: { email: true } },
  );
  const known = new Set(there.map(({ email }) => email));
  const out = await ctx.model(Exclusion).find([['email', 'in', emails]], { select: { email: true } });
  const excluded = new Set(out.map(({ email }) => email));
  await recipients.create(
    [...people]
      .filter(([email]) => !known.has(email))
      .map(([email, contact_id]) => ({
        mass_mailing_id: mailing,
        contact_id,
        email,
        state: excluded.has(email) ? ('skipped' as const) : ('waiting' as const),
      })),
  );
}
