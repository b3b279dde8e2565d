import type { Ctx } from '@pergola/core';
import { databaseSession, type Row, rowsOf, transactionOf } from '@pergola/db';
import type { FileRef } from '@pergola/files';
import { type JobDefinition, job } from '@pergola/jobs';
import { z } from 'zod';
import type { Recipient } from './define.ts';
import { type OutboxState, outboxGuards, outboxListeners } from './point.ts';
import { holdsMails, mailWay } from './server.ts';
import { MailRefused, type OutgoingMail, openTransport } from './transport.ts';

const ATTEMPTS = 10;
/** Held emails put back into the queue per transaction. */
const RELEASED_AT_ONCE = 200;

/**
 * Job that hands emails over. The Message-ID comes from the outbox row, so a retry after a crash is the same email to the recipient's
 * server. Without a mail server, emails stay in the outbox as `kept`, and the backend lists them.
 */
export const sendMail: JobDefinition<{ id: number }> = job('core.send_mail', {
  mails: true,
  input: z.object({ id: z.number().int() }),
  attempts: ATTEMPTS,
  run: async ({ ctx, input: { id }, write, attempt }) => {
    const { connection, database } = ctx.get(databaseSession);
    const [row] = await rowsOf(connection, database.knex('core_outbox').where({ id }).select());
    if (row?.state !== 'waiting') return;
    try {
      const transport = await openTransport(await mailWay(ctx));
      if (!transport) return await write((writing) => mark(writing, id, 'kept'));
      if (!(await isWanted(ctx, row))) return await write((writing) => mark(writing, id, 'withdrawn'));
      await transport.send(await mailOf(ctx, row));
    } catch (error) {
      const text = Error.isError(error) ? error.message : String(error);
      // A refusal of the email or its recipient is final; one about the sender (a wrong password) ends once the mail server is configured
      // correctly.
      const isFinal = error instanceof MailRefused && !error.isTemporary && error.reason !== 'sender';
      const final = attempt >= ATTEMPTS || isFinal;
      await write((writing) => mark(writing, id, final ? 'failed' : 'waiting', text));
      if (final) return;
      throw error;
    }
    await write((writing) => mark(writing, id, 'sent'));
  },
});

/** Whether all guards allow the email. */
async function isWanted(ctx: Ctx, row: Row): Promise<boolean> {
  const mail = {
    name: String(row.name),
    messageId: String(row.message_id),
    key: row.key === null ? null : String(row.key),
    email: String(row.email),
  };
  for (const guard of ctx.get(outboxGuards)) if (!(await guard(ctx, mail))) return false;
  return true;
}

async function mark(ctx: Ctx, id: number, state: OutboxState, error: string | null = null): Promise<void> {
  const { knex, codec } = ctx.get(databaseSession).database;
  const transaction = transactionOf(ctx);
  const sent = state === 'sent' ? codec.encode('datetime', new Date()) : null;
  const [row] = await rowsOf(
    transaction,
    knex('core_outbox').where({ id }).update({ state, error, sent_date: sent }).returning(['name', 'message_id']),
  );
  transaction.touch('core_outbox');
  if (!row) return;
  const mail = { name: String(row.name), messageId: String(row.message_id), state, error };
  for (const listener of ctx.get(outboxListeners)) await listener(ctx, mail);
}

/**
 * Sends emails that were held for lack of a mail server, once there is one: every few minutes, and as soon as administrators configure one.
 * Outbox emails keep their Message-ID, so none is sent twice.
 */
export const releaseMails: JobDefinition<Record<string, never>> = job('core.release_mails', {
  mails: true,
  input: z.object({}),
  cron: '*/5 * * * *',
  run: async ({ ctx, write }) => {
    if (await holdsMails(ctx)) return;
    const { connection, database } = ctx.get(databaseSession);
    for (;;) {
      const heldMails = database.knex('core_outbox').where({ state: 'kept' }).orderBy('id').limit(RELEASED_AT_ONCE);
      const ids = (await rowsOf(connection, heldMails.select('id'))).map(({ id }) => Number(id));
      if (ids.length === 0) return;
      await write((writing) => release(writing, ids));
    }
  },
});

async function release(ctx: Ctx, ids: readonly number[]): Promise<void> {
  const { knex } = ctx.get(databaseSession).database;
  const transaction = transactionOf(ctx);
  const waiting = knex('core_outbox').whereIn('id', ids).andWhere({ state: 'kept' }).update({ state: 'waiting' });
  const rows = await rowsOf(transaction, waiting.returning('id'));
  transaction.touch('core_outbox');
  for (const { id } of rows) await ctx.jobs.enqueue(sendMail, { id: Number(id) });
}

/** Converts an outbox row for sending, with its attachments. */
async function mailOf(ctx: Ctx, row: Row): Promise<OutgoingMail> {
  const { codec } = ctx.get(databaseSession).database;
  const files = (codec.decode('json', row.attachments) ?? []) as readonly FileRef[];
  return {
    messageId: String(row.message_id),
    to: { email: String(row.email), name: String(row.recipient ?? '') },
    subject: String(row.subject),
    html: String(row.html),
    text: String(row.text),
    replyTo: (codec.decode('json', row.reply_to) ?? undefined) as Recipient | undefined,
    headers: (codec.decode('json', row.headers) ?? {}) as Readonly<Record<string, string>>,
    attachments: await Promise.all(
      files.map(async ({ name = 'attachment', mimetype, hash }) => ({
        name,
        mimetype,
        content: (await ctx.files.get(hash)) ?? new Uint8Array(),
      })),
    ),
  };
}
