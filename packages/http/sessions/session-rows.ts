import { type Connection, changesOf, type Database, type Row, rowsOf, type Transaction } from '@pergola/db';
import type { Id } from '@pergola/orm';
import type { Knex } from 'knex';

/** The table, for `touch` and `version`. */
export const SESSION_TABLE = 'core_session';

export type SessionData = Readonly<Record<string, unknown>>;

export interface NewSession {
  readonly key: string;
  readonly userId: Id | null;
  readonly data: SessionData;
  readonly rights: string | null;
  readonly salt: string;
  readonly createdAt: Date;
  readonly seenAt: Date;
  readonly expiresAt: Date;
  readonly ip: string;
  readonly agent: string;
}

export interface SessionRow extends NewSession {
  readonly number: number;
}

const columns = [
  'id',
  'key',
  'user_id',
  'data',
  'rights',
  'salt',
  'created_at',
  'seen_at',
  'expires_at',
  'ip',
  'agent',
];

/** SQL for sessions. Doesn't notify other nodes: after removing data from a session, call `touch`. */
export class SessionRows {
  readonly #database: Database;
  readonly #findSql: string;

  constructor(database: Database) {
    this.#database = database;
    this.#findSql = database.knex(SESSION_TABLE).select(columns).where('key', '').toSQL().toNative().sql;
  }

  async find(connection: Connection, key: string): Promise<SessionRow | null> {
    const { rows } = await connection.query({ sql: this.#findSql, bindings: [key] });
    return rows[0] ? this.#decode(rows[0]) : null;
  }

  async insert(transaction: Transaction, session: NewSession): Promise<void> {
    const { codec } = this.#database;
    const row = {
      key: session.key,
      user_id: session.userId,
      data: codec.encode('json', session.data),
      rights: session.rights,
      salt: session.salt,
      created_at: this.#moment(session.createdAt),
      seen_at: this.#moment(session.seenAt),
      expires_at: this.#moment(session.expiresAt),
      ip: session.ip,
      agent: session.agent,
    };
    await changesOf(transaction, this.#table().insert(row));
  }

  async setData(transaction: Transaction, key: string, data: SessionData): Promise<void> {
    await changesOf(transaction, this.#one(key).update({ data: this.#database.codec.encode('json', data) }));
  }

  /** Records the groups of the session's user. */
  async setRights(transaction: Transaction, key: string, rights: string): Promise<void> {
    await changesOf(transaction, this.#one(key).update({ rights }));
  }

  /** Makes a replaced session expire at `at`. */
  async endAt(transaction: Transaction, key: string, expiresAt: Date, rights: string): Promise<void> {
    await changesOf(transaction, this.#one(key).update({ expires_at: this.#moment(expiresAt), rights }));
  }

  async delete(transaction: Transaction, key: string): Promise<void> {
    await changesOf(transaction, this.#one(key).delete());
  }

  async setSeen(transaction: Transaction, keys: readonly string[], seenAt: Date): Promise<void> {
    const seen_at = this.#moment(seenAt);
    await changesOf(transaction, this.#table().whereIn('key', keys).where('seen_at', '<', seen_at).update({ seen_at }));
  }

  /** Valid sessions of a user at `now`, most recently seen first. */
  async listOf(connection: Connection, userId: Id, now: Date, idleSince: Date): Promise<SessionRow[]> {
    const statement = this.#table()
      .select(columns)
      .where('user_id', userId)
      .where('expires_at', '>', this.#moment(now))
      .where('seen_at', '>', this.#moment(idleSince))
      .orderBy([
        { column: 'seen_at', order: 'desc' },
        { column: 'id', order: 'desc' },
      ]);
    return (await rowsOf(connection, statement)).map((row) => this.#decode(row));
  }

  /** Deletes all sessions of a user, only one, or all but one. Returns how many. */
  async deleteOf(transaction: Transaction, userId: Id, selection: { only?: number; except?: number }): Promise<number> {
    const statement = this.#table().where('user_id', userId).delete();
    if (selection.only !== undefined) statement.where('id', selection.only);
    if (selection.except !== undefined) statement.whereNot('id', selection.except);
    return changesOf(transaction, statement);
  }

  /** Deletes at most `limit` sessions that ended before `now` or were last seen before `idleSince`. Returns how many. */
  async deleteEnded(transaction: Transaction, now: Date, idleSince: Date, limit: number): Promise<number> {
    const ended = this.#table()
      .select('id')
      .where('expires_at', '<=', this.#moment(now))
      .orWhere('seen_at', '<=', this.#moment(idleSince))
      .limit(limit);
    return changesOf(transaction, this.#table().whereIn('id', ended).delete());
  }

  #table(): Knex.QueryBuilder {
    return this.#database.knex(SESSION_TABLE);
  }

  #one(key: string): Knex.QueryBuilder {
    return this.#table().where({ key });
  }

  #moment(date: Date): string | number {
    return this.#database.codec.encode('datetime', date) as string | number;
  }

  #decode(row: Row): SessionRow {
    const { codec } = this.#database;
    const moment = (column: string): Date => codec.decode('datetime', row[column]) as Date;
    return {
      number: Number(row.id),
      key: String(row.key),
      userId: row.user_id === null ? null : Number(row.user_id),
      data: codec.decode('json', row.data) as SessionData,
      rights: row.rights === null ? null : String(row.rights),
      salt: String(row.salt),
      createdAt: moment('created_at'),
      seenAt: moment('seen_at'),
      expiresAt: moment('expires_at'),
      ip: String(row.ip),
      agent: String(row.agent),
    };
  }
}
