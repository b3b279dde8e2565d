import { namedCache } from '@pergola/caches';
import type { LRUCache } from 'lru-cache';
import sqlite3 from 'sqlite3';
import { StatementWatch } from '../bounds.ts';
import { away, unusable } from '../errors.ts';
import { checkBinding, inspect, type StatementFacts } from '../statement.ts';
import type { ReadBounds, Result, Row, Statement } from '../types.ts';
import { sqliteError, untilFree } from './errors.ts';

export interface SqliteOptions {
  /** Path of the file. */
  file: string;
  /** False: rejects every statement that writes. */
  writable: boolean;
  /** Number of prepared statements to keep. */
  statements: number;
}

interface PreparedStatement {
  readonly native: sqlite3.Statement;
  readonly facts: StatementFacts;
}

interface Job {
  readonly statement: Statement;
  readonly bounds: ReadBounds | null;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** Size limits for prepared statements and their texts: larger ones would use memory for rare cases. */
const maxKeptLength = 20_000;
const keptText = 50_000;
const openingMs = 10_000;

/**
 * A connection to a SQLite file that runs statements one after another in libuv's threads, keeping them prepared.
 *
 * A statement always runs to completion within one call, so it never keeps a read transaction open.
 */
export class SqliteConnection {
  readonly #native: sqlite3.Database;
  readonly #statements: LRUCache<string, PreparedStatement>;
  readonly #waiting: Job[] = [];
  readonly #watch = new StatementWatch(() => this.interrupt());
  #running = false;
  #closed = false;

  private constructor(native: sqlite3.Database, statements: number) {
    this.#native = native;
    this.#statements = namedCache('sqlite_statements', {
      max: statements,
      entryBytes: 10_000,
      dispose: (prepared) => prepared.native.finalize(),
    });
  }

  /** Opens the file and verifies the settings required for durability and integrity. */
  static async open(options: SqliteOptions): Promise<SqliteConnection> {
    const native = await openNative(options.file);
    const connection = new SqliteConnection(native, options.statements);
    try {
      await configure(connection, options);
      return connection;
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  get usable(): boolean {
    return !this.#closed;
  }

  /** Runs a statement. With bounds, only this statement is stopped at its limits, and the connection continues with the next one. */
  query(statement: Statement, bounds: ReadBounds | null = null): Promise<Result> {
    return new Promise((resolve, reject) => {
      const job: Job = { statement, bounds, resolve, reject };
      if (this.#running) this.#waiting.push(job);
      else this.#start(job);
    });
  }

  /** Stops the running statement, which fails with SQLITE_INTERRUPT. */
  interrupt(): void {
    if (this.#running && !this.#closed) this.#native.interrupt();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#statements.clear();
    await new Promise<void>((resolve, reject) => {
      this.#native.close((error) => (error ? reject(error) : resolve()));
    });
  }

  #start(job: Job): void {
    this.#running = true;
    const { statement, bounds } = job;
    try {
      if (this.#closed) throw away('this connection is closed');
      if (bounds) this.#watch.begin(bounds);
      const values = bindable(statement.bindings);
      const prepared = this.#prepared(statement.sql, (error) => this.#settle(job, error, null));
      this.#run(job, prepared, values);
    } catch (error) {
      this.#settle(job, error, null);
    }
  }

  #run(job: Job, prepared: PreparedStatement, values: unknown[]): void {
    const { native, facts } = prepared;
    if (facts.answersRows) {
      native.all<Row>(values, (error, rows) => {
        // After an error the driver passes no rows.
        if (error) this.#settle(job, error, null);
        else if (!facts.writes || rows.length > 0)
          this.#settle(job, null, { rows, changes: facts.writes ? rows.length : 0 });
        // A write without returned rows changed none, or was only assumed to return rows.
        else this.#countChanges(job);
      });
    } else {
      const settle = (error: Error | null, changes: number) =>
        this.#settle(job, error, { rows: [], changes: facts.writes ? changes : 0 });
      native.run(values, function (error) {
        settle(error, this.changes);
      });
    }
  }

  #countChanges(job: Job): void {
    this.#native.all<{ n: number }>('select changes() as n', (error, rows) =>
      this.#settle(job, error, { rows: [], changes: rows?.[0]?.n ?? 0 }),
    );
  }

  #settle(job: Job, error: unknown, result: Result | null): void {
    const { sql, bindings } = job.statement;
    const stopped = this.#watch.end();
    if (error !== null || sql.length > maxKeptLength || bindings.some(isLong)) this.#statements.delete(sql);
    if (result && error === null) job.resolve(result);
    else job.reject(stopped ?? sqliteError(error, sql));
    this.#running = false;
    const next = this.#waiting.shift();
    if (next) this.#start(next);
  }

  #prepared(sql: string, failed: (error: Error) => void): PreparedStatement {
    const cached = this.#statements.get(sql);
    if (cached) return cached;
    const native = this.#native.prepare(sql, (error: Error | null) => {
      if (error) failed(error);
    });
    const prepared: PreparedStatement = { native, facts: inspect(sql) };
    this.#statements.set(sql, prepared);
    return prepared;
  }
}

function openNative(file: string): Promise<sqlite3.Database> {
  return new Promise((resolve, reject) => {
    const native: sqlite3.Database = new sqlite3.Database(file, (error) => {
      if (error) reject(unusable(`the file ${file} cannot be opened`, error));
      else resolve(native);
    });
  });
}

/**
 * `synchronous` is verified after a first statement, because SQLite reports the requested value at once but applies the driver's default on
 * first use. The native busy timeout is short: it blocks a thread, while callers above wait without one.
 */
async function configure(connection: SqliteConnection, { file, writable }: SqliteOptions): Promise<void> {
  const settings: [pragma: string, value: string | number][] = [
    ['busy_timeout', 50],
    ['journal_mode', 'wal'],
    ['synchronous', 2],
    ['foreign_keys', 1],
    ['trusted_schema', 0],
    ['recursive_triggers', 0],
    ['temp_store', 2],
    ['cache_size', -8_000],
    ['journal_size_limit', 16_777_216],
    ['query_only', writable ? 0 : 1],
  ];
  // Another process opening the file at this moment may hold it exclusively.
  const run = (sql: string) => untilFree(openingMs, () => connection.query({ sql, bindings: [] }));
  for (const [pragma, value] of settings) await run(`pragma ${pragma} = ${value}`);
  await run('select count(*) from sqlite_master');
  for (const [pragma, value] of settings) {
    const { rows } = await run(`pragma ${pragma}`);
    const [actual] = Object.values(rows[0] ?? {});
    if (actual !== value) {
      throw unusable(
        `${file}: ${pragma} is ${String(actual)} instead of ${value}; is it on a network drive or open in another program?`,
      );
    }
  }
}

function bindable(bindings: readonly unknown[]): unknown[] {
  const values: unknown[] = [];
  for (let position = 0; position < bindings.length; position += 1) {
    const value = checkBinding(bindings[position], position);
    if (typeof value === 'boolean') values.push(value ? 1 : 0);
    else if (value instanceof Date) values.push(value.getTime());
    else if (Array.isArray(value)) values.push(JSON.stringify(value));
    else values.push(value);
  }
  return values;
}

function isLong(value: unknown): boolean {
  return typeof value === 'string' && value.length > keptText;
}
