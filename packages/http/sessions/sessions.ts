import { createHash } from 'node:crypto';
import { namedCache } from '@pergola/caches';
import type { Cookies, Log } from '@pergola/core';
import type { Database } from '@pergola/db';
import { WROTE_COOKIE } from '@pergola/page-cache';
import type { RequestSession, SessionStore } from './session.ts';
import { type SessionTools, VisitorSession } from './session-request.ts';
import { SESSION_TABLE, type SessionRow, SessionRows } from './session-rows.ts';
import { SessionWriter, sessionKey } from './session-writer.ts';

export interface SessionsOptions {
  readonly database: Database;
  readonly log: Log;
  /** `config.sessionSecret` */
  readonly secret: string;
  /** Whether the site uses https. */
  readonly secure: boolean;
  /** Milliseconds since 1970. */
  readonly clock?: () => number;
  /** Whether a visitor's last write, identified by its cookie, went through this process. Default: never. */
  readonly wroteHere?: (wrote: string) => boolean;
}

const day = 86_400_000;
/** How long sessions live, in milliseconds: without a sign of life, and at all. */
export const defaultLimits = Object.freeze({ idleMs: 7 * day, absoluteMs: 90 * day });

const maxCached = 10_000;
/** Minimum interval between last-seen updates of a session. */
const seenEveryMs = 5 * 60_000;
const flushAfterMs = 1_000;
const sweepBatch = 500;
/** 256 bits, as produced by `sessionKey`; any other cookie is rejected without a lookup. */
const idPattern = /^[\w-]{43}$/;

interface KeptRow {
  /** Version of the table, read before the row. */
  readonly version: number;
  readonly row: SessionRow;
}

/**
 * Sessions in the database (C16, C30): random ids of which only a hash is stored, accepted only from their cookie, and never adopted if
 * unknown. Rows are cached until any session changes on any node, like pages until their tables change.
 */
export class DatabaseSessions implements SessionStore {
  readonly cookieName: string;
  readonly #options: SessionsOptions;
  readonly #clock: () => number;
  readonly #rows: SessionRows;
  readonly #tools: SessionTools;
  readonly #kept = namedCache<string, KeptRow>('sessions', {
    max: maxCached,
    entryBytes: 2000,
    dispose: ({ row }) => this.#seen.delete(row.key),
  });
  readonly #hashes = new WeakMap<object, string>();
  /** Last-seen times by key that aren't in the table yet. */
  readonly #seen = new Map<string, number>();
  readonly #unwritten = { seen: new Set<string>(), rights: new Map<string, string>() };
  #timer: NodeJS.Timeout | null = null;

  constructor(options: SessionsOptions) {
    const { database, secret, secure, clock = Date.now } = options;
    this.#options = options;
    this.#clock = clock;
    this.cookieName = secure ? '__Host-session_id' : 'session_id';
    this.#rows = new SessionRows(database);
    const writer = new SessionWriter({
      database,
      rows: this.#rows,
      cookieName: this.cookieName,
      secure,
      clock,
      absoluteMs: defaultLimits.absoluteMs,
    });
    this.#tools = {
      secret,
      writer,
      rightsOf: (groups, addons) =>
        `${this.#hashOf(groups, () => [...groups])}.${this.#hashOf(addons, () => addons.map(({ name }) => name))}`,
      noteRights: (row, rights) => {
        this.#unwritten.rights.set(row.key, rights);
        this.#flushSoon();
      },
    };
  }

  async load(cookies: Cookies): Promise<RequestSession> {
    const id = cookies[this.cookieName];
    if (id === undefined || !idPattern.test(id)) return new VisitorSession(null, this.#tools);
    // Another node may just have written for this visitor, so rows cached here could be outdated.
    const wrote = cookies[WROTE_COOKIE];
    const row = await this.#find(sessionKey(id), wrote !== undefined && this.#options.wroteHere?.(wrote) !== true);
    if (row) this.#see(row.key, row);
    return new VisitorSession(row, this.#tools);
  }

  async sweep(): Promise<number> {
    let deleted = 0;
    for (let last = sweepBatch; last === sweepBatch; deleted += last) {
      const now = this.#clock();
      const idleSince = new Date(now - defaultLimits.idleMs);
      last = await this.#options.database.write(
        (transaction) => this.#rows.deleteEnded(transaction, new Date(now), idleSince, sweepBatch),
        { label: 'session sweep' },
      );
    }
    return deleted;
  }

  async close(): Promise<void> {
    await this.#flush();
  }

  async #find(key: string, skipCache: boolean): Promise<SessionRow | null> {
    const { changes, reader } = this.#options.database;
    const cachedRow = this.#kept.get(key);
    if (cachedRow && !skipCache && changes.healthy && cachedRow.version === changes.version(SESSION_TABLE)) {
      // A session that seems idle here may have been used on another node, which only the table shows.
      if (this.#holds(cachedRow.row)) return cachedRow.row;
    }
    const version = changes.version(SESSION_TABLE);
    const row = await this.#rows.find(reader, key);
    if (row === null || !this.#holds(row)) return null;
    this.#keep(key, { version, row });
    return row;
  }

  #keep(key: string, cachedRow: KeptRow): void {
    const seen = this.#seen.get(key);
    this.#kept.set(key, cachedRow);
    if (seen !== undefined) this.#seen.set(key, seen);
  }

  #holds({ key, expiresAt, seenAt }: SessionRow): boolean {
    const now = this.#clock();
    const seen = Math.max(seenAt.getTime(), this.#seen.get(key) ?? 0);
    return now < expiresAt.getTime() && now - seen < defaultLimits.idleMs;
  }

  #see(key: string, { seenAt }: SessionRow): void {
    const now = this.#clock();
    if (now - Math.max(seenAt.getTime(), this.#seen.get(key) ?? 0) < seenEveryMs) return;
    this.#seen.set(key, now);
    this.#unwritten.seen.add(key);
    this.#flushSoon();
  }

  #hashOf(source: object, names: () => string[]): string {
    const cachedHash = this.#hashes.get(source);
    if (cachedHash !== undefined) return cachedHash;
    const hash = createHash('sha256').update(names().sort().join('\n')).digest('base64url').slice(0, 22);
    this.#hashes.set(source, hash);
    return hash;
  }

  #flushSoon(): void {
    this.#timer ??= setTimeout(() => void this.#flush(), flushAfterMs).unref();
  }

  /** Writes last-seen times in batches, outside of requests. Other nodes don't need to know about them. */
  async #flush(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const seen = [...this.#unwritten.seen];
    const rights = [...this.#unwritten.rights];
    if (seen.length === 0 && rights.length === 0) return;
    this.#unwritten.seen.clear();
    this.#unwritten.rights.clear();
    try {
      await this.#options.database.write(
        async (transaction) => {
          for (let offset = 0; offset < seen.length; offset += sweepBatch) {
            await this.#rows.setSeen(transaction, seen.slice(offset, offset + sweepBatch), new Date(this.#clock()));
          }
          for (const [key, value] of rights) await this.#rows.setRights(transaction, key, value);
          if (rights.length > 0) transaction.touch(SESSION_TABLE);
        },
        { label: 'session notes' },
      );
    } catch (error) {
      this.#options.log.warn(
        { err: error },
        'When sessions were last seen could not be written; it will be at their next request',
      );
      for (const key of seen) this.#seen.delete(key);
    }
  }
}
