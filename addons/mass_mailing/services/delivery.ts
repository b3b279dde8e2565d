import { app, type Id, type JobRun, service } from 'pergola';
import { MailRefused } from 'pergola/mail';
import { MailingLink } from '../models/link.ts';
import { MailRecipient } from '../models/recipient.ts';
import { bounceAddress, mailRate } from '../settings.ts';
import { MailCompiler, NotCompilable } from './content/compile.ts';
import { type Composer, createComposer, linksOf, withLinks } from './content/compose.ts';
import { DeliveryLog, LeaseLost, type Outcome } from './delivery-log.ts';
import { RateLimiter } from './rate-limiter.ts';
import { expandRecipients, type MailingRun, RecipientQueue } from './recipients.ts';
import { type Transport, transportFor } from './transport.ts';

/** Milliseconds between the heartbeats of a run. */
const HEARTBEAT = 3_000;
/** Milliseconds before an unreachable mail server is tried again. */
const SERVER_PAUSE = 30_000;

/** Number of consecutive broken connections after which the mail server counts as unreachable; a single one may depend on the recipient. */
const MAX_CUTS = 3;

/** Result of a run: `more` to do (at a certain time or immediately), `done`, or `lost` to another run. */
export type RunResult = SendResult | { readonly kind: 'lost' };
type SendResult = { readonly kind: 'more'; readonly at?: Date } | { readonly kind: 'done' };

/** Sends mailings: compiles the email once, creates a row per recipient, and sends one email per row. */
export class MailingDelivery extends service('mass_mailing.delivery', { ctx: app.ctx, compiler: MailCompiler }) {
  /** Compiles the email, expands its recipients and sends it, until the time is up, all emails are sent, or the mailing is stopped. */
  async run(work: JobRun<object>, run: MailingRun): Promise<RunResult> {
    const { write } = work;
    const { mailing, runner } = run;
    const end = (outcome: 'done' | 'more' | 'stopped', trouble?: string): Promise<void> =>
      write((ctx) => ctx.model('mail.mass_mailing').endRun(mailing, runner, outcome, trouble));
    const beat = setInterval(() => {
      void write((ctx) => ctx.model('mail.mass_mailing').renewRun(mailing, runner)).catch(() => {});
    }, HEARTBEAT);
    try {
      await this.#prepare(work, run);
      const finished = await expandRecipients(work, run);
      const result = finished ? await this.#send(work, run) : ({ kind: 'more' } as const);
      await end(result.kind);
      return result;
    } catch (error) {
      if (error instanceof LeaseLost) return { kind: 'lost' };
      if (error instanceof NotCompilable) {
        await end('stopped', error.message);
        return { kind: 'done' };
      }
      if (error instanceof MailRefused) {
        await end('more', error.message);
        return { kind: 'more', at: new Date(Date.now() + SERVER_PAUSE) };
      }
      // The retry shouldn't have to wait for the lease of a failed run.
      await end('more').catch(() => {});
      throw error;
    } finally {
      clearInterval(beat);
    }
  }

  /** Compiles the final email: later changes don't affect this mailing. */
  async #prepare({ write }: JobRun<object>, { mailing, runner }: MailingRun): Promise<void> {
    const mailings = this.ctx.model('mail.mass_mailing');
    const { compiled, track_clicks } = await mailings.get(mailing, { select: { compiled: true, track_clicks: true } });
    if (compiled) return;
    const compiledMails = await this.compiler.compile(mailing, await mailings.languages());
    await write(async (ctx) => {
      await ctx.model('mail.mass_mailing').requireRun(mailing, runner);
      let storedMails = compiledMails;
      if (track_clicks) {
        const urls = linksOf(compiledMails);
        const ids = await ctx.model(MailingLink).create(urls.map((url) => ({ mass_mailing_id: mailing, url })));
        storedMails = withLinks(compiledMails, new Map(urls.map((url, index) => [url, ids[index] ?? 0])));
      }
      await ctx.model('mail.mass_mailing').write(mailing, { compiled: storedMails });
    });
  }

  async #send(work: JobRun<object>, run: MailingRun): Promise<SendResult> {
    const { signal, write } = work;
    const { mailing } = run;
    const transport = await transportFor(work);
    const row = await this.ctx.model('mail.mass_mailing').get(mailing, { select: { rate: true } });
    const limiter = new RateLimiter(row.rate || (await this.ctx.settings.get(mailRate)));
    const composer = await this.#composer(mailing);
    const queue = new RecipientQueue(work, mailing);
    const log = new DeliveryLog(write, run);
    let trouble: unknown = null;
    let cuts = 0;
    const mayGoOn = (): boolean => trouble === null && !signal.aborted && Date.now() < run.end && !log.stopped;
    const lane = async (): Promise<void> => {
      while (mayGoOn()) {
        const recipient = await queue.next();
        if (recipient === null || !(await limiter.turn(mayGoOn))) return;
        // If the process dies, emails in transit are sent again: at most one per lane.
        const outcome = await sendOne(transport, composer, recipient);
        await log.add(recipient.id, outcome);
        cuts = outcome.kind === 'cut' ? cuts + 1 : 0;
        if (outcome.kind === 'cut' && cuts >= MAX_CUTS) throw new MailRefused('server', null, outcome.message);
      }
    };
    await Promise.all(
      Array.from({ length: transport.connections }, () =>
        lane().catch((error: unknown) => {
          trouble ??= error;
        }),
      ),
    );
    if (trouble !== null) throw trouble;
    if (log.stopped || !queue.empty) return { kind: 'more' };
    return this.#nextRun(mailing);
  }

  async #composer(mailing: Id): Promise<Composer> {
    const mailings = this.ctx.model('mail.mass_mailing');
    const row = await mailings.get(mailing, {
      select: { compiled: true, email_from: true, reply_to: true, track_opens: true, track_clicks: true },
    });
    const languages = Object.keys(row.compiled ?? {});
    const lists = await Promise.all(
      languages.map(
        async (lang) => [lang, await this.ctx.as({ lang }).model('mail.mass_mailing').listNames(mailing)] as const,
      ),
    );
    return createComposer({
      config: this.ctx.config,
      mailing,
      compiled: row.compiled ?? {},
      lists: Object.fromEntries(lists),
      from: row.email_from,
      replyTo: row.reply_to,
      opens: row.track_opens,
      bounceTo: await this.ctx.settings.get(bounceAddress),
      files: await mailings.files(mailing),
    });
  }

  /** Nothing is due: the mailing is done, or waits for retries. */
  async #nextRun(mailing: Id): Promise<SendResult> {
    const next = await this.ctx.model(MailRecipient).first(
      [
        ['mass_mailing_id', '=', mailing],
        ['state', '=', 'waiting'],
      ],
      { select: { next_at: true }, order: 'next_at, id' },
    );
    if (!next) return { kind: 'done' };
    return next.next_at === null ? { kind: 'more' } : { kind: 'more', at: next.next_at };
  }
}

async function sendOne(
  { transport, holds }: Pick<Transport, 'transport' | 'holds'>,
  composer: Composer,
  recipient: Parameters<Composer['mail']>[0],
): Promise<Outcome> {
  try {
    await transport.send(composer.mail(recipient));
    return { kind: holds ? 'held' : 'sent' };
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error;
    const { reason, isTemporary, message } = error;
    return reason === 'server' ? { kind: 'cut', message } : { kind: 'refused', reason, isTemporary, message };
  }
}
