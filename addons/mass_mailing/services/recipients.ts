import type { Ctx, Id, JobRun } from 'pergola';
import { Exclusion } from '../models/exclusion.ts';
import { MailRecipient } from '../models/recipient.ts';
import { Subscription } from '../models/subscription.ts';
import { LeaseLost } from './delivery-log.ts';

/** One run of a mailing. */
export interface MailingRun {
  readonly mailing: Id;
  readonly runner: string;
  /** When to let others in, in `Date.now()`. */
  readonly end: number;
}

/** Subscriptions looked at in one transaction. */
const BATCH = 500;

/**
 * Makes a row for everybody the mailing goes to: each address once, however many of its lists it is on. A batch and the place it ended at
 * are one transaction. Answers whether it came to the end.
 *
 * @throws LeaseLost when another run has the mailing
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
  const about = await mailings.get(mailing, {
    select: { runner: true, cursor: true, expanded: true, contact_list_ids: true },
  });
  if (about.runner !== runner) throw new LeaseLost();
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

/** Recipients read at a time. */
const READ_AHEAD = 400;

/** A recipient as the composer needs it. */
export interface Due {
  readonly id: Id;
  readonly email: string;
  readonly contact: { readonly id: Id; readonly name: string | null; readonly lang: string | null };
  /** Those of the mailing's lists that they are on. */
  readonly lists: readonly Id[];
}

/** Those a mailing still has to go to, in order, read ahead a batch at a time. Who has left meanwhile is left out, and written down so. */
export class RecipientQueue {
  readonly #work: JobRun<object>;
  readonly #mailing: Id;
  #ready: Due[] = [];
  #last = 0;
  /** Recipients that were put off come after those that weren't tried yet, so that they delay no one. */
  #phase: 'first' | 'again' = 'first';
  #ended = false;
  #loading: Promise<void> | null = null;

  constructor(work: JobRun<object>, mailing: Id) {
    this.#work = work;
    this.#mailing = mailing;
  }

  /** Whether all that was due has been given out. */
  get empty(): boolean {
    return this.#ended && this.#ready.length === 0;
  }

  async next(): Promise<Due | null> {
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
    const wanted = await stillWanted(ctx, this.#mailing, due);
    const gone = rows.filter(({ id }) => !wanted.has(id)).map(({ id }) => id);
    if (gone.length > 0) await write((writing) => writing.model(MailRecipient).write(gone, { state: 'skipped' }));
    this.#ready.push(
      ...due.flatMap((one) => {
        const lists = wanted.get(one.id);
        return lists ? [{ ...one, lists }] : [];
      }),
    );
  }
}

/** Those who still subscribe to one of the mailing's lists and aren't excluded, by their row, with the lists they get it by. */
export async function stillWanted(
  ctx: Ctx,
  mailing: Id,
  due: readonly Omit<Due, 'lists'>[],
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
