import type { Ctx, Id, JobRun } from '#core';
import { Exclusion } from '../models/exclusion.ts';
import { Mailing } from '../models/mailing.ts';
import { MailRecipient } from '../models/recipient.ts';
import { Subscription } from '../models/subscription.ts';

/** Recipients read at a time. */
const BATCH = 400;

/** A recipient as the composer needs it. */
export interface Due {
  readonly id: Id;
  readonly email: string;
  readonly contact: { readonly id: Id; readonly name: string | null; readonly lang: string | null };
  /** Those of the mailing's lists that they are on. */
  readonly lists: readonly Id[];
}

/** Those a mailing still has to go to, in order, read ahead a batch at a time. Who has left meanwhile is left out, and written down so. */
export class Queue {
  readonly #work: JobRun<object>;
  readonly #mailing: Id;
  #ready: Due[] = [];
  #last = 0;
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
          '|',
          ['next_at', '=', null],
          ['next_at', '<=', ctx.now()],
        ],
        { select: { email: true, contact_id: { name: true, lang: true } }, order: 'id', limit: BATCH },
      );
    this.#ended = rows.length < BATCH;
    this.#last = rows.at(-1)?.id ?? this.#last;
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

/** Those who still get it, by their row, with the lists they get it by. */
async function stillWanted(
  ctx: Ctx,
  mailing: Id,
  due: readonly Omit<Due, 'lists'>[],
): Promise<ReadonlyMap<Id, readonly Id[]>> {
  const { contact_list_ids: lists } = await ctx.model(Mailing).get(mailing, { select: { contact_list_ids: true } });
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
