import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE } from '@pergola/website';
import { type Ctx, type Id, type Ids, Unavailable } from 'pergola';
import type { RefusalReason } from 'pergola/mail';
import { Contact } from '../models/contact.ts';
import { Exclusion } from '../models/exclusion.ts';
import { MailRecipient } from '../models/recipient.ts';

/** Another run has taken over the mailing. */
export class LeaseLost extends Error {}

/** Result of sending one email. */
export type Outcome =
  /** `held`: in the outbox, because there is no mail server. */
  | { readonly kind: 'sent' | 'held' }
  /** Refused by the mail server; temporary refusals are retried. */
  | {
      readonly kind: 'refused';
      readonly reason: RefusalReason;
      readonly isTemporary: boolean;
      readonly message: string;
    }
  /** No response: the connection failed or was interrupted. */
  | { readonly kind: 'cut'; readonly message: string };

/** Minutes until the retry after each temporary refusal; after the last one, the email has failed. */
const RETRY_MINUTES = [5, 15, 60, 240] as const;
/** Number of consecutive refusals blaming the sender that pauses the mailing. */
const MAX_BLAMES = 3;

/** Maximum attempts to write a result if the database is busy, over some minutes. */
const WRITE_TRIES = 60;

interface Entry {
  readonly id: Id;
  readonly outcome: Outcome;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Records the result of each email before its lane sends the next one. Results that arrive during a transaction are batched into the next
 * one, so many lanes cost little more than one:
 *
 * ```
 * lane 1 ─ mail ─┐            ┌─ mail …
 * lane 2 ─ mail ─┼─ one write ┼─ mail …
 * lane 3 ─ mail ─┘            └─ mail …
 * ```
 */
export class DeliveryLog {
  readonly #write: <R>(work: (ctx: Ctx) => Promise<R>) => Promise<R>;
  readonly #mailing: Id;
  readonly #runner: string;
  #waiting: Entry[] = [];
  #writing: Promise<void> | null = null;
  /** Whether the mail server has accepted an email in this run. */
  #isAnswering = false;
  /** Whether the mailing was stopped. */
  stopped = false;

  constructor(
    write: <R>(work: (ctx: Ctx) => Promise<R>) => Promise<R>,
    { mailing, runner }: { readonly mailing: Id; readonly runner: string },
  ) {
    this.#write = write;
    this.#mailing = mailing;
    this.#runner = runner;
  }

  /**
   * Resolves when the result is committed.
   *
   * @throws LeaseLost if another run has the mailing; sent emails are recorded nevertheless
   */
  add(id: Id, outcome: Outcome): Promise<void> {
    return new Promise((done, failed) => {
      this.#waiting.push({ id, outcome, done, failed });
      this.#writing ??= this.#work().finally(() => {
        this.#writing = null;
      });
    });
  }

  async #work(): Promise<void> {
    // Batches results that arrive in the same tick.
    await new Promise(setImmediate);
    while (this.#waiting.length > 0) {
      const entries = this.#waiting.splice(0);
      try {
        const mailing = await this.#retryWrite((ctx) => this.#keep(ctx, entries));
        this.stopped ||= mailing?.state !== 'sending';
        const isLost = mailing?.runner !== this.#runner;
        for (const { done, failed } of entries) isLost ? failed(new LeaseLost()) : done();
      } catch (error) {
        for (const { failed } of entries) failed(error);
      }
    }
  }

  /** Retries while the database is unavailable or busy, because a sent email that isn't recorded would be sent again. */
  async #retryWrite<R>(work: (ctx: Ctx) => Promise<R>): Promise<R> {
    for (let time = 1; ; time++) {
      try {
        return await this.#write(work);
      } catch (error) {
        if (!(error instanceof Unavailable) || time >= WRITE_TRIES) throw error;
        await sleep(Math.min(time * 250, 2_000));
      }
    }
  }

  async #keep(ctx: Ctx, entries: readonly Entry[]): Promise<{ state: string; runner: string | null } | null> {
    for (const kind of ['sent', 'held'] as const) {
      const ids = entries.filter(({ outcome }) => outcome.kind === kind).map(({ id }) => id);
      if (ids.length > 0) await accept(ctx, ids, kind);
    }
    this.#isAnswering ||= entries.some(({ outcome }) => outcome.kind === 'sent');
    for (const { id, outcome } of entries) {
      if (outcome.kind === 'cut') await this.#recordCut(ctx, id, outcome.message);
      if (outcome.kind === 'refused') await refuse(ctx, id, outcome);
    }
    await this.#pauseIfBlamed(ctx, entries);
    return ctx
      .model('mail.mass_mailing')
      .first([['id', '=', this.#mailing]], { select: { state: true, runner: true } });
  }

  /** Handles a broken connection: retries soon, and limits the number of attempts only if the mail server accepts other emails. */
  async #recordCut(ctx: Ctx, id: Id, message: string): Promise<void> {
    if (this.#isAnswering) return refuse(ctx, id, { reason: 'later', isTemporary: true, message });
    const next_at = ctx.now().plus(MINUTE);
    await ctx.model(MailRecipient).write(id, { exception: message.slice(0, 500), next_at });
  }

  /** Pauses the mailing after several consecutive refusals that blame the sender, because the remaining emails would be refused as well. */
  async #pauseIfBlamed(ctx: Ctx, entries: readonly Entry[]): Promise<void> {
    const blames = entries.filter(({ outcome }) => outcome.kind === 'refused' && outcome.reason === 'sender');
    const isAccepted = entries.some(({ outcome }) => outcome.kind === 'sent');
    if (blames.length === 0 && !isAccepted) return;
    const mailings = ctx.model('mail.mass_mailing');
    const { blames: before } = await mailings.get(this.#mailing, { select: { blames: true } });
    const after = isAccepted ? 0 : (before ?? 0) + blames.length;
    if (after !== before) await mailings.write(this.#mailing, { blames: after });
    const last = blames.at(-1)?.outcome;
    if (after >= MAX_BLAMES && last?.kind === 'refused') await mailings.pauseForSender(this.#mailing, last.message);
  }
}

/** Records that emails were handed over, or held in the outbox. */
export async function accept(ctx: Ctx, ids: Ids, kind: 'sent' | 'held'): Promise<void> {
  const recipients = ctx.model(MailRecipient);
  await recipients.write(ids, {
    state: kind,
    sent: kind === 'sent' ? ctx.now() : null,
    exception: null,
    reason: null,
    next_at: null,
  });
  if (kind === 'held') return;
  const rows = await recipients.read(ids, { select: { contact_id: true } });
  await ctx.model(Contact).resetBounces(rows.flatMap(({ contact_id }) => contact_id ?? []));
}

/** Records a refusal: schedules a retry if it is temporary, and excludes the address if it doesn't exist. */
export async function refuse(
  ctx: Ctx,
  id: Id,
  { reason, isTemporary, message }: { reason: RefusalReason; isTemporary: boolean; message: string },
): Promise<void> {
  const recipients = ctx.model(MailRecipient);
  const { email, contact_id, attempts } = await recipients.get(id, {
    select: { email: true, contact_id: true, attempts: true },
  });
  const minutes = isTemporary ? RETRY_MINUTES[attempts ?? 0] : undefined;
  const exception = message.slice(0, 500);
  await recipients.write(id, {
    attempts: (attempts ?? 0) + 1,
    exception,
    reason,
    ...(minutes === undefined
      ? { state: 'failed', next_at: null }
      : { state: 'waiting', next_at: ctx.now().plus(minutes * MINUTE) }),
  });
  if (minutes !== undefined) return;
  if (contact_id !== null) await ctx.model(Contact).recountBounces([contact_id]);
  if (reason === 'address') await ctx.model(Exclusion).exclude(email, 'bounce', exception);
}
