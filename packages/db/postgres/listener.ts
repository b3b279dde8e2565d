import type { ChangeBoard } from '../change-board.ts';
import { Heartbeat } from '../heartbeat.ts';
import { textLiteral } from '../schema/names.ts';
import { pause } from '../settings.ts';
import type { DatabaseLog } from '../types.ts';
import type { PostgresConnection } from './connection.ts';

/**
 * Notifies nodes of each other's writes: NOTIFY in the transaction, delivered by the server at commit. One session per node listens, and is
 * checked often enough that a broken channel is noticed before a stale page is a quarter of a second old.
 */
const channel = 'pergola_changes';
const beatMs = 100;
const graceMs = 250;
/** A session silent for this long is replaced. */
const lostMs = 3_000;

/** A notification holds at most 8,000 bytes. */
const payloadLimit = 7_000;

/** SQL that notifies other nodes of the tables the transaction changed, ending in `; `; empty without changes. */
export function notifySql(node: string, tables: ReadonlySet<string>): string {
  const payloads: string[] = [];
  let payload = '';
  for (const table of tables) {
    if (payload.length + table.length > payloadLimit) {
      payloads.push(payload);
      payload = '';
    }
    payload += payload === '' ? `${node}:${table}` : `,${table}`;
  }
  if (payload !== '') payloads.push(payload);
  return payloads.map((text) => `select pg_notify('${channel}', ${textLiteral(text)}); `).join('');
}

export interface ListenerParts {
  node: string;
  changes: ChangeBoard;
  log: DatabaseLog;
  /** Opens a session for listening; calls `onLost` when the connection is lost. */
  connect(onLost: (connection: PostgresConnection) => void): Promise<PostgresConnection>;
}

/** The listening session, reopened whenever it is lost. */
export class PostgresListener {
  readonly #parts: ListenerParts;
  #session: { connection: PostgresConnection; heartbeat: Heartbeat } | null = null;
  #connecting: Promise<void> | null = null;
  #closed = false;

  constructor(parts: ListenerParts) {
    this.#parts = parts;
  }

  get alive(): boolean {
    return this.#session?.heartbeat.alive ?? false;
  }

  /** Opens the first connection; throws if that fails. */
  async start(): Promise<void> {
    await this.#connect();
    this.#parts.changes.healthy = true;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#parts.changes.healthy = false;
    await this.#connecting;
    this.#session?.heartbeat.stop();
    await this.#session?.connection.close();
    this.#session = null;
  }

  async #connect(): Promise<void> {
    const { node, changes } = this.#parts;
    const connection = await this.#parts.connect((lostConnection) => this.#lose(lostConnection));
    connection.onNotification((payload) => {
      const colon = payload.indexOf(':');
      if (payload.slice(0, colon) !== node) changes.bump(new Set(payload.slice(colon + 1).split(',')), 'remote');
    });
    try {
      await connection.run(`listen ${channel}`);
    } catch (error) {
      await connection.close();
      throw error;
    }
    const heartbeat = new Heartbeat({
      // An empty statement makes the server deliver pending notifications before it replies.
      beat: async () => {
        await connection.run('', { patienceMs: lostMs });
      },
      onAlive: () => this.#revive(),
      onDead: () => {
        this.#parts.changes.healthy = false;
      },
      onFault: (reason) => this.#warn(reason),
      intervalMs: beatMs,
      graceMs,
    });
    this.#session = { connection, heartbeat };
  }

  /** Notifications may have been missed meanwhile, so everything may have changed. */
  #revive(): void {
    this.#parts.changes.healthy = true;
    this.#parts.changes.bumpAll();
  }

  #warn(reason: unknown): void {
    this.#parts.log.warn({ err: reason }, 'The database is not responding; changes on other nodes may be missed');
  }

  #lose(connection: PostgresConnection): void {
    if (this.#closed || this.#session?.connection !== connection) return;
    this.#session.heartbeat.stop();
    this.#session = null;
    this.#parts.changes.healthy = false;
    this.#warn(new Error('the listening session ended'));
    this.#connecting ??= this.#reconnect().finally(() => {
      this.#connecting = null;
    });
  }

  async #reconnect(): Promise<void> {
    for (let tries = 0; !this.#closed; tries += 1) {
      await pause(Math.min(1_000, 100 * 2 ** tries));
      try {
        if (this.#closed) return;
        await this.#connect();
        this.#revive();
        this.#parts.log.info({}, 'The database answers again');
        return;
      } catch (error) {
        this.#parts.log.debug({ err: error }, 'The database cannot be reached yet');
      }
    }
  }
}
