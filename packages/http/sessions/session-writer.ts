import { hash, randomBytes } from 'node:crypto';
import { InvalidInput } from '@pergola/core';
import type { Database, Transaction } from '@pergola/db';
import type { Id } from '@pergola/orm';
import { stringifySetCookie } from 'cookie';
import { summarizeAgent } from './session-agent.ts';
import type { SessionChange } from './session-change.ts';
import { type NewSession, SESSION_TABLE, type SessionData, type SessionRow, type SessionRows } from './session-rows.ts';

/** Maximum size of a session's data, which is read with every request of its visitor. */
const maxCharacters = 32_000;
/** How long a replaced id stays valid if nothing was removed: requests of the same page may still be using it. */
const graceMs = 1_000;

export interface SessionWriterOptions {
  readonly database: Database;
  readonly rows: SessionRows;
  readonly cookieName: string;
  readonly secure: boolean;
  readonly clock: () => number;
  readonly absoluteMs: number;
}

/** Client details for the list of sessions. */
export interface Caller {
  readonly ip: string;
  readonly userAgent: string;
}

/** Table key for a cookie value. */
export function sessionKey(id: string): string {
  return hash('sha256', id, 'base64url');
}

/**
 * Writes sessions, each in its own small transaction. Returns `Set-Cookie` values.
 *
 *   set          no session: new row, new cookie · session: same row
 *   sign in      new row with the visitor's data, old row deleted, new cookie
 *   sign out     old row deleted; cookie cleared, or a new one if values were set afterwards
 *   renew        new row with all old data, old row deleted, new cookie
 */
export class SessionWriter {
  readonly #options: SessionWriterOptions;

  constructor(options: SessionWriterOptions) {
    this.#options = options;
  }

  async apply(old: SessionRow | null, change: SessionChange, caller: Caller): Promise<readonly string[]> {
    if (old === null && !change.makesSession) return [];
    const id = randomBytes(32).toString('base64url');
    const outcome = await this.#write(async (transaction): Promise<NewSession | 'kept' | 'ended'> => {
      const now = old === null ? null : await this.#options.rows.find(transaction, old.key);
      if (now && !change.ends && !change.renews) {
        await this.#options.rows.setData(transaction, now.key, within(change.applyTo(now.data)));
        transaction.touch(SESSION_TABLE);
        return 'kept';
      }
      if (now) await this.#end(transaction, now);
      // The session ended meanwhile (on another node, or just now). None of its data carries over; only changes that need no earlier
      // session start a new one.
      const carried = change.ends ? null : now;
      if (!change.makesSession && !carried) return 'ended';
      const session = this.#next(id, carried, change, caller);
      await this.#options.rows.insert(transaction, session);
      return session;
    });
    if (outcome === 'kept') return [];
    return [outcome === 'ended' ? this.#cleared() : this.#cookie(id, outcome)];
  }

  /**
   * Gives a session a new id because its user's groups changed. The old id stays valid for another second; of concurrent requests that
   * notice the change, only one replaces it.
   */
  async replace(old: SessionRow, rights: string): Promise<readonly string[]> {
    const id = randomBytes(32).toString('base64url');
    const { rows, clock } = this.#options;
    const replacement = await this.#write(async (transaction) => {
      const now = await rows.find(transaction, old.key);
      if (!now || now.rights === rights) return null;
      const session = { ...now, key: sessionKey(id), rights };
      await rows.insert(transaction, session);
      await rows.endAt(transaction, now.key, new Date(clock() + graceMs), rights);
      transaction.touch(SESSION_TABLE);
      return session;
    });
    return replacement ? [this.#cookie(id, replacement)] : [];
  }

  async #end(transaction: Transaction, row: SessionRow): Promise<void> {
    await this.#options.rows.delete(transaction, row.key);
    transaction.touch(SESSION_TABLE);
  }

  #next(id: string, old: SessionRow | null, change: SessionChange, caller: Caller): NewSession {
    const { clock, absoluteMs } = this.#options;
    const now = new Date(clock());
    const { userId = old?.userId ?? null } = change;
    // Never passes one user's data on to the next.
    const data = old === null || isAnother(old.userId, userId) ? {} : old.data;
    // A renewed session keeps its age; signing in starts a new one.
    const continued = old !== null && change.userId === undefined ? old : null;
    return {
      key: sessionKey(id),
      userId,
      data: within(change.applyTo(data)),
      rights: continued?.rights ?? null,
      salt: randomBytes(16).toString('base64url'),
      createdAt: continued?.createdAt ?? now,
      seenAt: now,
      expiresAt: continued?.expiresAt ?? new Date(now.getTime() + absoluteMs),
      ip: caller.ip,
      agent: summarizeAgent(caller.userAgent),
    };
  }

  #write<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.#options.database.write(work, { label: 'session' });
  }

  #cookie(value: string, { expiresAt }: NewSession): string {
    return this.#setCookie(value, Math.max(0, Math.ceil((expiresAt.getTime() - this.#options.clock()) / 1_000)));
  }

  #cleared(): string {
    return this.#setCookie('', 0);
  }

  #setCookie(value: string, maxAge: number): string {
    const { cookieName: name, secure } = this.#options;
    return stringifySetCookie({ name, value, maxAge, path: '/', httpOnly: true, sameSite: 'lax', secure });
  }
}

function isAnother(before: Id | null, after: Id | null): boolean {
  return before !== null && before !== after;
}

function within(data: SessionData): SessionData {
  const { length } = JSON.stringify(data);
  if (length <= maxCharacters) return data;
  throw new InvalidInput('A session can hold {most} characters, not {length}. Store the rest in a table.', {
    code: 'core.session_too_large',
    params: { most: maxCharacters, length },
  });
}
