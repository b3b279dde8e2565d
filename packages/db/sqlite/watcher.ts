import type { ChangeBoard } from '../change-board.ts';
import { Heartbeat } from '../heartbeat.ts';
import type { DatabaseLog } from '../types.ts';
import type { SqliteConnection } from './connection.ts';

/**
 * Notifies processes on one machine of each other's writes.
 *
 *   writer:   … begin, writes, upsert core_change(table, version), commit
 *   watcher:  every 100 ms `pragma data_version` (an in-memory counter); after a change: tables above the last version seen
 */
export const changeTable = 'core_change';

const pollMs = 100;
const graceMs = 250;

export async function createChangeTable(connection: SqliteConnection): Promise<void> {
  const create = [
    `create table if not exists ${changeTable} (table_name text not null primary key, version integer not null)`,
    `create index if not exists ${changeTable}_version on ${changeTable} (version)`,
  ];
  for (const sql of create) await connection.query({ sql, bindings: [] });
}

/** Records the tables changed by the open transaction and returns their version, or null without changes. */
export async function recordChanges(connection: SqliteConnection, tables: ReadonlySet<string>): Promise<number | null> {
  if (tables.size === 0) return null;
  const { rows } = await connection.query({
    sql: `insert into ${changeTable} (table_name, version)
      select value, (select coalesce(max(version), 0) + 1 from ${changeTable}) from json_each(?) where true
      on conflict (table_name) do update set version = excluded.version returning version`,
    bindings: [JSON.stringify([...tables])],
  });
  return Number(rows[0]?.version);
}

/** Watches the file for commits of other processes and increases the versions of the changed tables. */
export class SqliteWatcher {
  readonly #connection: SqliteConnection;
  readonly #changes: ChangeBoard;
  readonly #heartbeat: Heartbeat;
  readonly #own = new Set<number>();
  #dataVersion: unknown = null;
  #seen: number;

  private constructor(connection: SqliteConnection, changes: ChangeBoard, seen: number, log: DatabaseLog) {
    this.#connection = connection;
    this.#changes = changes;
    this.#seen = seen;
    this.#heartbeat = new Heartbeat({
      beat: () => this.#look(),
      onAlive() {
        changes.healthy = true;
        changes.bumpAll();
      },
      onDead() {
        changes.healthy = false;
      },
      onFault(reason) {
        log.warn({ err: reason }, 'The database file is not responding; changes by other processes may be missed');
      },
      intervalMs: pollMs,
      graceMs,
    });
  }

  static async start(connection: SqliteConnection, changes: ChangeBoard, log: DatabaseLog): Promise<SqliteWatcher> {
    const { rows } = await connection.query({
      sql: `select max(version) as version from ${changeTable}`,
      bindings: [],
    });
    changes.healthy = true;
    return new SqliteWatcher(connection, changes, Number(rows[0]?.version ?? 0), log);
  }

  get alive(): boolean {
    return this.#heartbeat.alive;
  }

  /** Ignores this version, which is being committed by this process. */
  ownChange(version: number): void {
    this.#own.add(version);
  }

  /** Undoes `ownChange` after a failed commit: another process will get the same number. */
  disown(version: number): void {
    this.#own.delete(version);
  }

  async close(): Promise<void> {
    this.#heartbeat.stop();
    this.#changes.healthy = false;
    await this.#connection.close();
  }

  async #look(): Promise<void> {
    const { rows } = await this.#connection.query({ sql: 'pragma data_version', bindings: [] });
    const [version] = Object.values(rows[0] ?? {});
    if (version === this.#dataVersion) return;
    const changed = await this.#connection.query({
      sql: `select table_name, version from ${changeTable} where version > ?`,
      bindings: [this.#seen],
    });
    // Stored last, so that a failed check is repeated.
    this.#dataVersion = version;
    this.#applyChanges(changed.rows.map((row) => ({ table: String(row.table_name), version: Number(row.version) })));
  }

  #applyChanges(entries: { table: string; version: number }[]): void {
    const foreign = entries.filter((entry) => !this.#own.has(entry.version));
    this.#seen = Math.max(this.#seen, ...entries.map((entry) => entry.version));
    for (const version of this.#own) if (version <= this.#seen) this.#own.delete(version);
    this.#changes.bump(new Set(foreign.map((entry) => entry.table)), 'remote');
  }
}
