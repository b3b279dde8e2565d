import { randomUUID } from 'node:crypto';
import { withoutControls } from '@pergola/content';
import type { Ctx } from '@pergola/core';
import { Conflict, InvalidInput, TooMany } from '@pergola/core';
import { databaseSession, rowsOf, transactionOf } from '@pergola/db';
import type { FileRef } from '@pergola/files';
import { emailSpellings, isEmailAddress } from './address.ts';
import type { MailDefinition, MailMessage, MailQueue, QueuedMail, Recipient } from './define.ts';
import { renderMail } from './render.ts';
import { sendMail } from './sender.ts';
import type { OutgoingMail } from './transport.ts';

/** Default limit of emails of one kind to an address per hour, across all senders (C46). */
const HOURLY = 5;
const HOUR = 3_600_000;

/** Headers that suppress autoresponders; the second one is for Exchange. */
const AUTOMATIC = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'OOF, AutoReply' };

/** Outbox of a context: inserts a row in the context's transaction, and a job that sends it after the commit. */
export function createMailQueue(ctx: Ctx): MailQueue {
  return { send: (definition, message) => queueMail(ctx, definition, message) };
}

/** Plain text version of emails: no images, and one line per table row with separated cells. */
const plainSelectors = [
  { selector: 'img', format: 'skip' },
  { selector: 'tr', format: 'block', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
  { selector: 'td + td', format: 'inlineSurround', options: { prefix: '  ' } },
];

async function queueMail<V>(
  ctx: Ctx,
  definition: MailDefinition<V>,
  message: Parameters<MailQueue['send']>[1],
): Promise<QueuedMail | null> {
  if (!ctx.get(databaseSession).transaction)
    throw new Conflict(`Mail "${definition.name}" can be sent only where something is written.`, {
      code: 'core.context_does_not_write',
    });
  const { to } = message;
  checkAddress(to);
  if (message.replyTo) checkAddress(message.replyTo);
  checkHeaders(message.headers ?? {});
  const { key, earlier, since } = keyOf(message, ctx.now());
  if (key !== null && (await exists(ctx, earlier, since))) return null;
  const departureTime = await departure(ctx, definition, to.email);
  const { convert } = await import('html-to-text');
  const { subject, html } = await renderMail(ctx, definition, message.values, to.lang ?? ctx.lang);
  const id = await addRow(ctx, {
    name: definition.name,
    message_id: `<${randomUUID()}@${new URL(ctx.config.baseUrl).hostname}>`,
    key,
    to,
    replyTo: message.replyTo,
    subject,
    html,
    text: convert(html, { wordwrap: 100, selectors: plainSelectors }),
    headers: { ...(definition.isPersonal ? {} : AUTOMATIC), ...message.headers },
    attachments: message.attachments,
    state: 'waiting',
    about: message.about,
  });
  await ctx.jobs.enqueue(sendMail, { id }, departureTime ? { at: departureTime } : {});
  return { id, subject, html };
}

/**
 * Stores a complete email in the outbox, once per Message-ID, for senders with a transport of their own when no mail server is configured.
 * Its attachments are already in the filestore.
 */
export async function keepMail(
  ctx: Ctx,
  name: string,
  mail: Omit<OutgoingMail, 'attachments'>,
  attachments: readonly FileRef[],
): Promise<void> {
  const { messageId: key, to, replyTo, subject, html, text, headers } = mail;
  checkAddress(to);
  checkHeaders(headers ?? {});
  if (await exists(ctx, [key])) return;
  await addRow(ctx, {
    name,
    message_id: key,
    key,
    to,
    replyTo,
    subject,
    html,
    text,
    headers,
    attachments,
    state: 'kept',
  });
}

/**
 * Key of an email, and keys of earlier emails that prevent it if they are newer than `since`. Keys are unique, so a temporary key contains
 * the time slot.
 */
function keyOf(
  { key, keyMs }: Pick<MailMessage, 'key' | 'keyMs'>,
  now: Date,
): { readonly key: string | null; readonly earlier: readonly string[]; readonly since?: Date } {
  if (key === undefined) return { key: null, earlier: [] };
  if (keyMs === undefined) return { key, earlier: [key] };
  const slot = Math.floor(now.getTime() / keyMs);
  return {
    key: `${key}:${slot}`,
    earlier: [`${key}:${slot}`, `${key}:${slot - 1}`],
    since: new Date(now.getTime() - keyMs),
  };
}

/** Whether the outbox contains an email with one of these keys. */
async function exists(ctx: Ctx, keys: readonly string[], since?: Date): Promise<boolean> {
  const { knex, codec } = ctx.get(databaseSession).database;
  const existing = knex('core_outbox').whereIn('key', keys).select('id').limit(1);
  if (since) void existing.andWhere('create_date', '>', codec.encode('datetime', since) as string | number);
  return (await rowsOf(transactionOf(ctx), existing)).length > 0;
}

interface NewRow extends Pick<OutgoingMail, 'to' | 'replyTo' | 'subject' | 'html' | 'text' | 'headers'> {
  readonly name: string;
  readonly message_id: string;
  readonly key: string | null;
  readonly attachments?: readonly FileRef[];
  readonly state: 'waiting' | 'kept';
  readonly about?: { readonly model: string; readonly id: number } | undefined;
}

async function addRow(ctx: Ctx, { to, replyTo, headers, attachments, ...mail }: NewRow): Promise<number> {
  const { knex, codec } = ctx.get(databaseSession).database;
  const transaction = transactionOf(ctx);
  const { name, message_id, key, subject, html, text, state, about: record } = mail;
  const row = {
    name,
    message_id,
    key,
    email: to.email,
    recipient: displayName(to.name ?? '') || null,
    subject,
    html,
    text,
    reply_to: codec.encode('json', replyTo ?? null),
    headers: codec.encode('json', headers ?? {}),
    attachments: codec.encode('json', attachments ?? []),
    state,
    create_date: codec.encode('datetime', ctx.now()),
    res_model: record?.model ?? null,
    res_id: record?.id ?? null,
  };
  const [inserted] = await rowsOf(transaction, knex('core_outbox').insert(row).returning('id'));
  transaction.touch('core_outbox');
  for (const { hash } of attachments ?? []) transaction.afterCommit(() => ctx.files.used(hash));
  return Number(inserted?.id);
}

function checkAddress({ email }: Recipient): void {
  if (isEmailAddress(email)) return;
  throw new InvalidInput('Emails can’t be sent to this address. Check it.', {
    code: 'core.bad_email',
    fields: { email: 'Enter a valid email address.' },
  });
}

/** Header values come from our code, but include names of people and records: none may break the line (C39). */
function checkHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[A-Za-z-]+$/.test(name) || /[\r\n\u2028\u2029\0]/.test(value)) {
      throw new InvalidInput(`The mail header "${name}" holds a line break or sign that headers may not have.`, {
        code: 'core.bad_mail_header',
      });
    }
  }
}

/**
 * A display name on one line, without characters that could end the address or start another. Joiners stay: Persian, Hindi and emoji need
 * them.
 */
export function displayName(name: string): string {
  const plain = withoutControls(name, ' ')
    .replace(/[\s"<>,;:@\\]+/gu, ' ')
    .trim();
  return [...plain].slice(0, 120).join('');
}

/**
 * When an email may be sent without exceeding its address's hourly limit, or null for now.
 *
 * @throws TooMany if it isn't sent later either
 */
async function departure(
  ctx: Ctx,
  { name, hourly = HOURLY, excess = 'refused' }: Pick<MailDefinition, 'name' | 'hourly' | 'excess'>,
  email: string,
): Promise<Date | null> {
  const { connection, database } = ctx.get(databaseSession);
  const since = database.codec.encode('datetime', new Date(ctx.now().getTime() - HOUR));
  const { knex } = database;
  const spellings = emailSpellings(email);
  const count = knex('core_outbox')
    .where({ name })
    // Case-insensitive.
    .whereRaw(`lower(??) in (${spellings.map(() => '?').join()})`, ['email', ...spellings])
    .andWhere('create_date', '>', since as number)
    .count('* as n');
  const [row] = await rowsOf(connection, count);
  const hours = Math.floor(Number(row?.n) / hourly);
  if (hours === 0) return null;
  if (excess === 'later') return new Date(ctx.now().getTime() + hours * HOUR);
  throw new TooMany('Too many emails were sent to this address. Try again in an hour.', {
    code: 'core.mail_rate',
    retryAfter: 3_600,
  });
}
