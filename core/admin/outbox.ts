import { type Ctx, internals, neverKept, transactionOf } from '../context/index.ts';
import { changesOf, type Row, rowsOf } from '../db/index.ts';
import { sendMail } from '../mail/index.ts';
import type { Id, Ids } from '../model/index.ts';

/** `waiting` for its job, `sent`, `kept` where there is no mail server, `failed` when the server refused for good. */
export const mailStates = ['waiting', 'sent', 'kept', 'failed'] as const;
export type MailState = (typeof mailStates)[number];

/** A mail of the outbox, without its text. */
export interface OutboxMail {
  readonly id: Id;
  /** Which kind: `web.reset`. */
  readonly name: string;
  readonly email: string;
  readonly recipient: string | null;
  readonly subject: string;
  readonly state: MailState;
  readonly error: string | null;
  readonly createdAt: Date;
  readonly sentAt: Date | null;
}

/** Which mails to show, the latest first. */
export interface OutboxQuery {
  readonly state?: MailState;
  /** In the address, the name or the subject. */
  readonly search?: string;
  readonly limit?: number;
  readonly offset?: number;
}

const columns = ['id', 'name', 'email', 'recipient', 'subject', 'state', 'error', 'create_date', 'sent_date'];

/** Mails of the outbox, the latest first, with how many match and how many there are in each state. Who may see them is the caller's matter. */
export async function listOutbox(
  ctx: Ctx,
  { state, search = '', limit = 80, offset = 0 }: OutboxQuery = {},
): Promise<{
  readonly mails: readonly OutboxMail[];
  readonly total: number;
  readonly states: Readonly<Record<MailState, number>>;
}> {
  neverKept(ctx, 'it lists the outbox');
  const { database, connection } = internals(ctx);
  const { knex } = database;
  const matching = () => {
    const query = knex('core_outbox');
    if (state) query.where({ state });
    const pattern = `%${search
      .trim()
      .toLowerCase()
      .replace(/[\\%_]/g, '\\$&')}%`;
    if (search.trim())
      query.whereRaw(
        "(lower(email) like ? escape '\\' or lower(subject) like ? escape '\\' or lower(coalesce(recipient, '')) like ? escape '\\')",
        [pattern, pattern, pattern],
      );
    return query;
  };
  const rows = await rowsOf(connection, matching().select(columns).orderBy('id', 'desc').limit(limit).offset(offset));
  const [counted] = await rowsOf(connection, matching().count('* as n'));
  const byState = await rowsOf(connection, knex('core_outbox').select('state').count('* as n').groupBy('state'));
  const countOf = (one: MailState): number => Number(byState.find((row) => row.state === one)?.n ?? 0);
  return {
    mails: rows.map((row) => mailOf(ctx, row)),
    total: Number(counted?.n ?? 0),
    states: { waiting: countOf('waiting'), sent: countOf('sent'), kept: countOf('kept'), failed: countOf('failed') },
  };
}

/** One mail with its texts; null when there is none. */
export async function readOutboxMail(
  ctx: Ctx,
  id: Id,
): Promise<(OutboxMail & { readonly html: string; readonly text: string }) | null> {
  neverKept(ctx, 'it shows a mail');
  const { database, connection } = internals(ctx);
  const [row] = await rowsOf(
    connection,
    database
      .knex('core_outbox')
      .select([...columns, 'html', 'text'])
      .where({ id }),
  );
  return row ? { ...mailOf(ctx, row), html: String(row.html), text: String(row.text) } : null;
}

/** Sends mails again that failed or were kept; others stay as they are. Answers how many. Throws Conflict where nothing may be written. */
export async function retryMails(ctx: Ctx, ids: Ids): Promise<number> {
  const transaction = transactionOf(ctx);
  const { knex } = internals(ctx).database;
  let retried = 0;
  for (const id of new Set(ids)) {
    const again = knex('core_outbox')
      .where({ id })
      .whereIn('state', ['failed', 'kept'])
      .update({ state: 'waiting', error: null });
    if ((await changesOf(transaction, again)) === 0) continue;
    await ctx.jobs.enqueue(sendMail, { id });
    retried += 1;
  }
  if (retried > 0) transaction.touch('core_outbox');
  return retried;
}

function mailOf(ctx: Ctx, row: Row): OutboxMail {
  const { codec } = internals(ctx).database;
  return {
    id: Number(row.id),
    name: String(row.name),
    email: String(row.email),
    recipient: row.recipient === null ? null : String(row.recipient),
    subject: String(row.subject),
    state: mailStates.find((state) => state === row.state) ?? 'waiting',
    error: row.error === null ? null : String(row.error),
    createdAt: codec.decode('datetime', row.create_date) as Date,
    sentAt: row.sent_date === null ? null : (codec.decode('datetime', row.sent_date) as Date),
  };
}
