import type { Ctx, Id, JobRun } from 'pergola';
import { Exclusion } from '../models/exclusion.ts';
import { MailRecipient } from '../models/recipient.ts';
import { Subscription } from '../models/subscription.ts';
import { LeaseLost } from './delivery-log.ts';

/** One run of a mailing. */
export interface MailingRun {
  readonly mailing: Id;
  readonly runner: string;
  /** When to yield to other jobs, as in `Date.now()`. */
  readonly end: number;
}

/** Number of subscriptions processed per transaction. */
const BATCH = 500;

/**
 * Creates a row per recipient: each address once, even if it is on several lists. Each transaction contains a batch and the new cursor.
 * Returns whether all subscriptions were processed.
 *
 * @throws LeaseLost if another run has the mailing
 */
export async function expandRecipients({ write, signal }: JobRun<object>, run: MailingRun): Promise<boolean> {
  for (;;) {
    if (signal.aborted || Date.now() >= run.end) return false;
    if (await write((ctx) => expandBatch(ctx, run))) return true;
  }
}

async function expandBatch(ctx: Ctx, { mailing, runner }: MailingRun): Promise<boolean> {
  await ctx.lock('mail.mass_mailing', [mailing]);
  const mailings = ctx.model('mail.mass_mailing');
  const row = await mailings.get(mailing, {
    select: { runner: true, cursor: true, expanded: true, contact_list_ids: true },
  });
  if (row.runner !== runner) throw new LeaseLost();
  if (row.expanded) return true;
  const rows = await ctx.model(Subscription).find(
    [
      ['list_id', 'in', row.contact_list_ids],
      ['opt_out', '=', false],
      ['id', '>', row.cursor ?? 0],
    ],
    { select: { contact_id: { email: true } }, order: 'id', limit: BATCH },
  );
  const people = new Map(
    rows.flatMap(({ contact_id }) => (contact_id ? [[contact_id.email, contact_id.id] as const] : [])),
  );
  await addRecipients(ctx, mailing, people);
  const expanded = rows.length < BATCH;
  await mailings.write(mailing, { cursor: rows.at(-1)?.id ?? row.cursor, expanded });
  return expanded;
}

async function addRecipients(ctx: Ctx, mailing: Id, people: ReadonlyMap<string, Id>): Promise<void> {
  const emails = [...people.keys()];
  const recipients = ctx.model(MailRecipient);
  const existing = await recipients.find(
    [
      ['mass_mailing_id', '=', mailing],
      ['email', 'in', emails],
    ],
    { select: { email: true } },
  );
  const existingEmails = new Set(existing.map(({ email }) => email));
  const out = await ctx.model(Exclusion).find([['email', 'in', emails]], { select: { email: true } });
  const excluded = new Set(out.map(({ email }) => email));
  await recipients.create(
    [...people]
      .filter(([email]) => !existingEmails.has(email))
      .map(([email, contact_id]) => ({
        mass_mailing_id: mailing,
        contact_id,
        email,
        state: excluded.has(email) ? ('skipped' as const) : ('waiting' as const),
      })),
  );
}

/** Number of recipients read at a time. */
const READ_AHEAD = 400;

/** A recipient with the data needed by the composer. */
export interface DueRecipient {
  readonly id: Id;
  readonly email: string;
  readonly contact: { readonly id: Id; readonly name: string | null; readonly lang: string | null };
  /** Lists of the mailing the recipient is subscribed to. */
  readonly lists: readonly Id[];
}

/**
 * Remaining recipients of a mailing in order, prefetched in batches. Skips people who have unsubscribed in the meantime, and records this.
 */
export class RecipientQueue {
  readonly #work: JobRun<object>;
  readonly #mailing: Id;
  #ready: DueRecipient[] = [];
  #last = 0;
  /** Retries come after recipients that haven't been tried yet, so they don't delay them. */
  #phase: 'first' | 'again' = 'first';
  #ended = false;
  #loading: Promise<void> | null = null;

  constructor(work: JobRun<object>, mailing: Id) {
    this.#work = work;
    this.#mailing = mailing;
  }

  /** Whether all due recipients were returned. */
  get empty(): boolean {
    return this.#ended && this.#ready.length === 0;
  }

  async next(): Promise<DueRecipient | null> {
    while (this.#ready.length === 0 && !this.#ended) {
      this.#loading ??= this.#load().finally(() => {
        this.#loading = null;
      });
      await this.#loading;
    }
    return this.#ready.shift() ?? null;
  }

  async #load(): Promise<void> {
    const { ctx, write } = this.#work;
    const rows = await ctx
      .model(MailRecipient)
      .find(
        [
          ['mass_mailing_id', '=', this.#mailing],
          ['state', '=', 'waiting'],
          ['id', '>', this.#last],
          this.#phase === 'first' ? ['next_at', '=', null] : ['next_at', '<=', ctx.now()],
        ],
        { select: { email: true, contact_id: { name: true, lang: true } }, order: 'id', limit: READ_AHEAD },
      );
    this.#last = rows.at(-1)?.id ?? this.#last;
    if (rows.length < READ_AHEAD) {
      if (this.#phase === 'again') this.#ended = true;
      else [this.#phase, this.#last] = ['again', 0];
    }
    const due = rows.flatMap(({ id, email, contact_id: contact }) => (contact ? [{ id, email, contact }] : []));
    const listsByRow = await stillWanted(ctx, this.#mailing, due);
    const skippedIds = rows.filter(({ id }) => !listsByRow.has(id)).map(({ id }) => id);
    if (skippedIds.length > 0)
      await write((writing) => writing.model(MailRecipient).write(skippedIds, { state: 'skipped' }));
    this.#ready.push(
      ...due.flatMap((recipient) => {
        const lists = listsByRow.get(recipient.id);
        return lists ? [{ ...recipient, lists }] : [];
      }),
    );
  }
}

/** Returns the recipients who are still subscribed and not excluded, by row ID, with their lists. */
export async function stillWanted(
  ctx: Ctx,
  mailing: Id,
  due: readonly Omit<DueRecipient, 'lists'>[],
): Promise<ReadonlyMap<Id, readonly Id[]>> {
  const { contact_list_ids: lists } = await ctx
    .model('mail.mass_mailing')
    .get(mailing, { select: { contact_list_ids: true } });
  const subscriptions = await ctx.model(Subscription).find(
    [
      ['list_id', 'in', lists],
      ['contact_id', 'in', due.map(({ contact }) => contact.id)],
      ['opt_out', '=', false],
    ],
    { select: { contact_id: true, list_id: true } },
  );
  const subscribed = Map.groupBy(subscriptions, ({ contact_id }) => contact_id);
  const emails = due.map(({ email }) => email);
  const out = await ctx.model(Exclusion).find([['email', 'in', emails]], { select: { email: true } });
  const excluded = new Set(out.map(({ email }) => email));
  return new Map(
    due.flatMap(({ id, contact, email }) => {
      const lists = subscribed.get(contact.id)?.map(({ list_id }) => list_id);
      return lists && !excluded.has(email) ? [[id, lists] as const] : [];
    }),
  );
}
