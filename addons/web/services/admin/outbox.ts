import type { Ctx, Id } from 'pergola';
import { codecOf } from 'pergola/orm';

/**
 * `waiting` for its job, `sent` to the mail server, `delivered` according to a report, `kept` (held) until there is a mail server, `failed`
 * if it was refused permanently, `bounced` if it was returned, `withdrawn` if its recipient unsubscribed first.
 */
export const mailStates = ['waiting', 'sent', 'delivered', 'kept', 'failed', 'bounced', 'withdrawn'] as const;
export type MailState = (typeof mailStates)[number];

/** An email in the outbox, without its text. */
export interface OutboxMail {
  readonly id: Id;
  /** Name of the email's definition, such as `web.reset`. */
  readonly name: string;
  readonly email: string;
  readonly recipient: string | null;
  readonly subject: string;
  readonly state: MailState;
  readonly error: string | null;
  readonly createdAt: Date;
  readonly sentAt: Date | null;
}

/** Filters of the outbox. */
export interface OutboxQuery {
  readonly state?: MailState;
  /** Searched in address, name and subject. */
  readonly search?: string;
  readonly limit?: number;
  readonly offset?: number;
}

const columns = ['id', 'name', 'email', 'recipient', 'subject', 'state', 'error', 'create_date', 'sent_date'];

/**
 * Returns emails in the outbox, latest first, with the number of matches and the number in each state. The caller must check that the user
 * may see them.
 */
export async function listOutbox(
  ctx: Ctx,
  { state, search = '', limit = 80, offset = 0 }: OutboxQuery = {},
): Promise<{
  readonly mails: readonly OutboxMail[];
  readonly total: number;
  readonly states: Readonly<Record<MailState, number>>;
}> {
  const matching = () => {
    const query = ctx.db('core_outbox');
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
  const rows = await matching().select(columns).orderBy('id', 'desc').limit(limit).offset(offset);
  const [totalRow] = await matching().count({ n: '*' });
  const byState: readonly Readonly<Record<string, unknown>>[] = await ctx
    .db('core_outbox')
    .select('state')
    .count({ n: '*' })
    .groupBy('state');
  const countOf = (state: MailState): number => Number(byState.find((row) => row.state === state)?.n ?? 0);
  return {
    mails: rows.map((row) => mailOf(ctx, row)),
    total: Number(totalRow?.n ?? 0),
    states: Object.fromEntries(mailStates.map((state) => [state, countOf(state)])) as Record<MailState, number>,
  };
}

/** Returns an email with its texts, or null if it doesn't exist. */
export async function readOutboxMail(
  ctx: Ctx,
  id: Id,
): Promise<(OutboxMail & { readonly html: string; readonly text: string }) | null> {
  const row = await ctx
    .db('core_outbox')
    .where({ id })
    .first([...columns, 'html', 'text']);
  return row ? { ...mailOf(ctx, row), html: String(row.html), text: String(row.text) } : null;
}

function mailOf(ctx: Ctx, row: Readonly<Record<string, unknown>>): OutboxMail {
  const codec = codecOf(ctx);
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
