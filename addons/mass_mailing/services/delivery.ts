import { randomUUID } from 'node:crypto';
import type { Ctx, Id, JobRun } from '#core';
import { MailRefused, type MailTransport } from '#core/mail';
import { MailingLink } from '../models/link.ts';
import { Mailing } from '../models/mailing.ts';
import { MailRecipient } from '../models/recipient.ts';
import { expandRecipients } from '../sending/expand.ts';
import { bounceAddress, mailRate } from '../settings.ts';
import { compileMailing, listNames, NotCompilable } from './content/compile.ts';
import { type Composer, createComposer, linksOf, withLinks } from './content/compose.ts';
import { LostRun, Marks } from './delivery-log.ts';
import { filesOf } from './files.ts';
import { Pace } from './rate-limiter.ts';
import { Queue } from './recipient-queue.ts';
import { transportFor } from './transport.ts';

/** How long a run that says nothing is taken to be alive, and how often it says so, in milliseconds. */
const ALIVE = 12_000;
const HEARTBEAT = 3_000;
/** When a mail server that cannot be reached is tried again. */
const SERVER_PAUSE = 30_000;

/** How a run ended: `more` to do (at a moment, or at once), `done`, or `lost` to another run. */
export type RunResult =
  | { readonly kind: 'more'; readonly at?: Date }
  | { readonly kind: 'done' }
  | { readonly kind: 'lost' };

interface Order {
  readonly mailing: Id;
  readonly runner: string;
  /** When to let others in, in `Date.now()`. */
  readonly end: number;
}

/** Takes a mailing for a run; null when another has it, or it is not to be sent any more. Answers the run's name. */
export async function beginSending(ctx: Ctx, id: Id): Promise<string | null> {
  await ctx.lock(Mailing, [id]);
  const { state, runner_until, started_date, schedule_date } = await ctx.model(Mailing).get(id, {
    select: { state: true, runner_until: true, started_date: true, schedule_date: true },
  });
  const now = ctx.now();
  const isDue = state === 'sending' || (state === 'in_queue' && schedule_date !== null && schedule_date <= now);
  if (!isDue || (runner_until !== null && runner_until >= now)) return null;
  const runner = randomUUID();
  await ctx.model(Mailing).write(id, {
    state: 'sending',
    started_date: started_date ?? now,
    runner,
    runner_until: now.plus(ALIVE),
  });
  return runner;
}

/** Makes the mail, finds who gets it and sends, until the time is up, all is sent, or somebody stops it. */
export async function runMailing(work: JobRun<object>, order: Order): Promise<RunResult> {
  const { write } = work;
  const { mailing, runner } = order;
  const beat = setInterval(() => {
    void write((ctx) => keepAlive(ctx, mailing, runner)).catch(() => {});
  }, HEARTBEAT);
  try {
    await prepare(work, order);
    const finished = await expandRecipients(work, order);
    const result = finished ? await sendRecipients(work, order) : ({ kind: 'more' } as const);
    await write((ctx) => letGo(ctx, order, result));
    return result;
  } catch (error) {
    if (error instanceof LostRun) return { kind: 'lost' };
    if (error instanceof NotCompilable) {
      await write((ctx) => stop(ctx, order, error.message));
      return { kind: 'done' };
    }
    if (error instanceof MailRefused) {
      await write((ctx) => letGo(ctx, order, { kind: 'more' }, error.message));
      return { kind: 'more', at: new Date(Date.now() + SERVER_PAUSE) };
    }
    // The next try must not wait for a run that is over.
    await write((ctx) => letGo(ctx, order, { kind: 'more' })).catch(() => {});
    throw error;
  } finally {
    clearInterval(beat);
  }
}

/** The mail itself, once and for all: what is changed later is in no mail of this mailing. */
async function prepare({ ctx, write }: JobRun<object>, { mailing, runner }: Order): Promise<void> {
  const { compiled, track_clicks } = await ctx.model(Mailing).get(mailing, {
    select: { compiled: true, track_clicks: true },
  });
  if (compiled) return;
  const made = await compileMailing(ctx, mailing, await ctx.model(Mailing).languages());
  await write(async (writing) => {
    await requireRun(writing, mailing, runner);
    let kept = made;
    if (track_clicks) {
      const urls = linksOf(made);
      const ids = await writing.model(MailingLink).create(urls.map((url) => ({ mass_mailing_id: mailing, url })));
      kept = withLinks(made, new Map(urls.map((url, index) => [url, ids[index] ?? 0])));
    }
    await writing.model(Mailing).write(mailing, { compiled: kept });
  });
}

async function sendRecipients(work: JobRun<object>, order: Order): Promise<RunResult> {
  const { ctx, signal, write } = work;
  const { mailing } = order;
  const { transport, connections } = await transportFor(work);
  const about = await ctx.model(Mailing).get(mailing, { select: { rate: true } });
  const pace = new Pace(about.rate || (await ctx.settings.get(mailRate)));
  const composer = await composerOf(ctx, mailing);
  const queue = new Queue(work, mailing);
  const marks = new Marks(write, order);
  let trouble: unknown = null;
  const mayGoOn = (): boolean => trouble === null && !signal.aborted && Date.now() < order.end && !marks.stopped;
  const lane = async (): Promise<void> => {
    while (mayGoOn()) {
      const recipient = await queue.next();
      if (recipient === null || !(await pace.turn(mayGoOn))) return;
      // What is on its way when this process dies goes out again: one mail for each lane, no more.
      await marks.add(recipient.id, await hand(transport, composer, recipient));
    }
  };
  await Promise.all(
    Array.from({ length: connections }, () =>
      lane().catch((error: unknown) => {
        trouble ??= error;
      }),
    ),
  );
  if (trouble !== null) throw trouble;
  if (marks.stopped || !queue.empty) return { kind: 'more' };
  return rest(ctx, mailing);
}

async function composerOf(ctx: Ctx, mailing: Id): Promise<Composer> {
  const about = await ctx.model(Mailing).get(mailing, {
    select: { compiled: true, email_from: true, reply_to: true, track_opens: true, track_clicks: true },
  });
  const languages = Object.keys(about.compiled ?? {});
  const lists = await Promise.all(
    languages.map(async (lang) => [lang, await listNames(ctx.as({ lang }), mailing)] as const),
  );
  return createComposer({
    config: ctx.config,
    mailing,
    compiled: about.compiled ?? {},
    lists: Object.fromEntries(lists),
    from: about.email_from,
    replyTo: about.reply_to,
    opens: about.track_opens,
    bounceTo: await ctx.settings.get(bounceAddress),
    files: await filesOf(ctx, mailing),
  });
}

/** What became of one mail. */
export type Outcome =
  | { readonly kind: 'sent' }
  | { readonly kind: 'refused'; readonly address: boolean; readonly message: string }
  | { readonly kind: 'later'; readonly message: string };

async function hand(
  transport: Pick<MailTransport, 'send'>,
  composer: Composer,
  recipient: Parameters<Composer['mail']>[0],
): Promise<Outcome> {
  try {
    await transport.send(composer.mail(recipient));
    return { kind: 'sent' };
  } catch (error) {
    if (!(error instanceof MailRefused) || error.reason === 'server') throw error;
    const { reason, message } = error;
    return reason === 'later'
      ? { kind: 'later', message }
      : { kind: 'refused', address: reason === 'address', message };
  }
}

/** Nothing is due any more: the mailing is done, or waits for the addresses that are tried again later. */
async function rest(ctx: Ctx, mailing: Id): Promise<RunResult> {
  const next = await ctx.model(MailRecipient).first(
    [
      ['mass_mailing_id', '=', mailing],
      ['state', '=', 'waiting'],
    ],
    { select: { next_at: true }, order: 'next_at, id' },
  );
  if (!next) return { kind: 'done' };
  return next.next_at === null ? { kind: 'more' } : { kind: 'more', at: next.next_at };
}

async function requireRun(ctx: Ctx, mailing: Id, runner: string): Promise<void> {
  await ctx.lock(Mailing, [mailing]);
  const row = await ctx.model(Mailing).first([['id', '=', mailing]], { select: { runner: true } });
  if (row?.runner !== runner) throw new LostRun();
}

async function keepAlive(ctx: Ctx, mailing: Id, runner: string): Promise<void> {
  await requireRun(ctx, mailing, runner);
  await ctx.model(Mailing).write(mailing, { runner_until: ctx.now().plus(ALIVE) });
}

async function letGo(
  ctx: Ctx,
  { mailing, runner }: Order,
  result: RunResult,
  trouble: string | null = null,
): Promise<void> {
  await requireRun(ctx, mailing, runner);
  const { state } = await ctx.model(Mailing).get(mailing, { select: { state: true } });
  await ctx.model(Mailing).write(mailing, {
    runner: null,
    runner_until: null,
    last_error: trouble?.slice(0, 500) ?? null,
    ...(result.kind === 'done' && state === 'sending' ? { state: 'done', sent_date: ctx.now() } : {}),
  });
}

async function stop(ctx: Ctx, { mailing, runner }: Order, message: string): Promise<void> {
  await requireRun(ctx, mailing, runner);
  const values = { runner: null, runner_until: null, state: 'draft', last_error: message.slice(0, 500) } as const;
  await ctx.model(Mailing).write(mailing, values);
}
