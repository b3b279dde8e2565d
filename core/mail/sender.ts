import type { Transporter } from 'nodemailer';
import type { Config } from '../base/index.ts';
import { type Ctx, internals } from '../context/index.ts';
import type { FileRef } from '../files/index.ts';
import { type JobDefinition, job } from '../jobs/index.ts';
import type { Recipient } from './define.ts';
import { SEND_MAIL, sendMailInput } from './outbox.ts';

interface OutboxRow {
  readonly id: number;
  readonly message_id: string;
  readonly email: string;
  readonly recipient: string | null;
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  readonly reply_to: Recipient | null;
  readonly headers: Record<string, string>;
  readonly attachments: readonly FileRef[];
  readonly state: string;
}

/**
 * The job that hands mails over. The Message-ID is the outbox row's, so that a repeat after a crash is the same mail to the recipient's
 * server. Without a mail server mails stay in the outbox as `kept`, where the backend shows them.
 */
export function mailSender(config: Config): { job: JobDefinition<{ id: number }>; close(): void } {
  const { smtpUrl, mailFrom } = config;
  let transport: Promise<Transporter> | null = null;
  const definition = job(SEND_MAIL, {
    input: sendMailInput,
    attempts: 10,
    run: async ({ ctx, input, write, attempt }) => {
      const mail = await readMail(ctx, input.id);
      if (!mail || mail.state === 'sent') return;
      if (!smtpUrl) return write((writing) => mark(writing, mail.id, 'kept'));
      try {
        transport ??= openTransport(smtpUrl, mailFrom);
        await handOver(await transport, ctx, mail);
      } catch (error) {
        const text = Error.isError(error) ? error.message : String(error);
        // 5xx is the server's final no; anything else may pass.
        const final =
          attempt >= 10 || (Error.isError(error) && 'responseCode' in error && Number(error.responseCode) >= 500);
        await write((writing) => mark(writing, mail.id, final ? 'failed' : 'waiting', text));
        if (final) return;
        throw error;
      }
      await write((writing) => mark(writing, mail.id, 'sent'));
    },
  });
  return { job: definition, close: () => void transport?.then((open) => open.close()) };
}

/** Loaded with the first mail: a site that sends none has no use for it. */
async function openTransport(url: string, from: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  return createTransport(url, { from });
}

async function readMail(ctx: Ctx, id: number): Promise<OutboxRow | null> {
  const { connection, database } = internals(ctx);
  const { rows } = await connection.query(database.knex('core_outbox').where({ id }).select('*').toSQL().toNative());
  const row = rows[0];
  if (!row) return null;
  const { codec } = database;
  const json = (name: string): unknown => codec.decode('json', row[name]);
  return {
    ...row,
    id,
    reply_to: json('reply_to'),
    headers: json('headers') ?? {},
    attachments: json('attachments') ?? [],
  } as OutboxRow;
}

async function mark(ctx: Ctx, id: number, state: string, error: string | null = null): Promise<void> {
  const { transaction, database } = internals(ctx);
  const sent = state === 'sent' ? database.codec.encode('datetime', new Date()) : null;
  const statement = database
    .knex('core_outbox')
    .where({ id })
    .update({ state, error, sent_date: sent })
    .toSQL()
    .toNative();
  await transaction?.query(statement);
  transaction?.touch('core_outbox');
}

async function handOver(transport: Transporter, ctx: Ctx, mail: OutboxRow): Promise<void> {
  const attachments = await Promise.all(
    mail.attachments.map(async (file) => ({
      filename: file.name ?? 'attachment',
      contentType: file.mimetype,
      content: Buffer.from((await ctx.files.get(file.hash)) ?? []),
    })),
  );
  await transport.sendMail({
    messageId: mail.message_id,
    to: { address: mail.email, name: mail.recipient ?? '' },
    subject: mail.subject,
    html: mail.html,
    text: mail.text,
    replyTo: mail.reply_to ? { address: mail.reply_to.email, name: mail.reply_to.name ?? '' } : undefined,
    headers: mail.headers,
    attachments,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}
