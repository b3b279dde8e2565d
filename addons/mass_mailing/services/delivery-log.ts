import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE } from '#addons/website';
import { type Ctx, type Id, Unavailable } from '#core';
import { Contact } from '../models/contact.ts';
import { Exclusion } from '../models/exclusion.ts';
import { MailRecipient } from '../models/recipient.ts';

/** Another run has taken the mailing over. */
export class LeaseLost extends Error {}

/** What became of one mail. */
export type Outcome =
  | { readonly kind: 'sent' }
  | { readonly kind: 'refused'; readonly address: boolean; readonly message: string }
  | { readonly kind: 'later'; readonly message: string };

/** Minutes until an address is tried again, and after how many tries it is given up. */
const RETRY_MINUTES = [5, 15, 60, 240] as const;

/** How often a write that the database has no time for is tried, over some minutes. */
const WRITE_TRIES = 60;

interface Entry {
  readonly id: Id;
  readonly outcome: Outcome;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Writes down what became of each mail before its lane sends the next. What comes in while one transaction is under way is written by the next
 * one together, so many lanes cost little more than one:
 *
 * lane 1 ─ mail ─┐            ┌─ mail …
 * lane 2 ─ mail ─┼─ one write ┼─ mail …
 * lane 3 ─ mail ─┘            └─ mail …
 */
export class DeliveryLog {
  readonly #write: <R>(work: (ctx: Ctx) => Promise<R>) => Promise<R>;
  readonly #mailing: Id;
  readonly #runner: string;
  #waiting: Entry[] = [];
  #writing: Promise<void> | null = null;
  /** Whether somebody has stopped the mailing. */
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
   * Done when it is committed.
   *
   * @throws LeaseLost when another run has the mailing; what was sent is written down all the same
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
    // Mails that end in the same moment are written together.
    await new Promise(setImmediate);
    while (this.#waiting.length > 0) {
      const entries = this.#waiting.splice(0);
      try {
        const mailing = await this.#insist((ctx) => this.#keep(ctx, entries));
        this.stopped ||= mailing?.state !== 'sending';
        const lost = mailing?.runner !== this.#runner;
        for (const { done, failed } of entries) lost ? failed(new LeaseLost()) : done();
      } catch (error) {
        for (const { failed } of entries) failed(error);
      }
    }
  }

  /** A mail that is out must be written down, or it goes out again: a database that is away or too busy is asked once more. */
  async #insist<R>(work: (ctx: Ctx) => Promise<R>): Promise<R> {
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
    const recipients = ctx.model(MailRecipient);
    const sent = entries.filter(({ outcome }) => outcome.kind === 'sent').map(({ id }) => id);
    if (sent.length > 0) await recipients.write(sent, { state: 'sent', sent: ctx.now(), exception: null });
    for (const { id, outcome } of entries) {
      if (outcome.kind === 'later') await postpone(ctx, id, outcome.message);
      if (outcome.kind === 'refused') await refuse(ctx, id, outcome);
    }
    return ctx
      .model('mail.mass_mailing')
      .first([['id', '=', this.#mailing]], { select: { state: true, runner: true } });
  }
}

async function postpone(ctx: Ctx, id: Id, message: string): Promise<void> {
  const recipients = ctx.model(MailRecipient);
  const { attempts } = await recipients.get(id, { select: { attempts: true } });
  const minutes = RETRY_MINUTES[attempts ?? 0];
  await recipients.write(id, {
    attempts: (attempts ?? 0) + 1,
    exception: message.slice(0, 500),
    ...(minutes === undefined ? { state: 'failed' } : { next_at: ctx.now().plus(minutes * MINUTE) }),
  });
}

/** An address that the server knows not to exist gets no more mailings. */
async function refuse(ctx: Ctx, id: Id, { address, message }: { address: boolean; message: string }): Promise<void> {
  const recipients = ctx.model(MailRecipient);
  await recipients.write(id, { state: 'failed', exception: message.slice(0, 500) });
  if (!address) return;
  const { email, contact_id } = await recipients.get(id, {
    select: { email: true, contact_id: { message_bounce: true } },
  });
  if (contact_id) {
    await ctx.model(Contact).write(contact_id.id, { message_bounce: (contact_id.message_bounce ?? 0) + 1 });
  }
  await ctx.model(Exclusion).exclude(email, 'bounce', message.slice(0, 500));
}
