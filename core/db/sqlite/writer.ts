import type { ChangeBoard } from '../change-board.ts';
import { away, busy } from '../errors.ts';
import { KnownRows } from '../known-rows.ts';
import { Pool } from '../pool.ts';
import { type Counters, pause, type Settings, within, writeDefaults } from '../settings.ts';
import { OpenTransaction, refuseNestedWrite, type WriteScope } from '../transaction.ts';
import type { Result, Statement, Transaction, WriteOptions } from '../types.ts';
import type { SqliteConnection } from './connection.ts';
import { isBusy } from './errors.ts';
import { recordChanges, type SqliteWatcher } from './watcher.ts';

export interface SqliteWriterParts {
  settings: Settings;
  counters: Counters;
  changes: ChangeBoard;
  scope: WriteScope;
  open(): Promise<SqliteConnection>;
  watcher: SqliteWatcher;
}

class SqliteTransaction extends OpenTransaction {
  readonly dialect = 'sqlite';
  readonly #connection: SqliteConnection;

  constructor(connection: SqliteConnection, label: string, scope: WriteScope) {
    super(label, scope, new KnownRows(true));
    this.#connection = connection;
  }

  /** Writing is exclusive already. */
  async lock(): Promise<void> {}

  protected override run(statement: Statement): Promise<Result> {
    return this.#connection.query(statement);
  }
}

/**
 * The one connection that writes, behind a queue.
 *
 * Several would block each other inside libuv's threads until none is left for reading; so writers of this process wait here, in
 * memory, and only those of other processes are waited for by asking again.
 */
export class SqliteWriter {
  readonly #parts: SqliteWriterParts;
  readonly #turn: Pool<SqliteConnection>;

  constructor(parts: SqliteWriterParts) {
    this.#parts = parts;
    this.#turn = new Pool({
      size: 1,
      deadlineMs: parts.settings.deadlineMs,
      what: 'write connection',
      open: parts.open,
      close: (connection) => connection.close(),
      usable: (connection) => connection.usable,
    });
  }

  get waiting(): number {
    return this.#turn.waiting;
  }

  async write<T>(work: (transaction: Transaction) => Promise<T>, options?: WriteOptions): Promise<T> {
    const { settings, counters, scope, changes } = this.#parts;
    const wanted = writeDefaults(options, settings);
    refuseNestedWrite(scope, wanted.label);
    const deadline = performance.now() + wanted.deadlineMs;
    const connection = await this.#turn.acquire(wanted.deadlineMs);
    const transaction = new SqliteTransaction(connection, wanted.label, scope);
    let result: T;
    try {
      await this.#begin(connection, deadline, wanted);
      result = await this.#run(connection, transaction, work, wanted);
    } catch (error) {
      counters.writesFailed += 1;
      throw error;
    } finally {
      transaction.end('has ended');
      this.#turn.release(connection);
    }
    counters.writes += 1;
    changes.bump(transaction.touched, 'local');
    await transaction.runEffects(settings.log);
    return result;
  }

  close(): Promise<void> {
    return this.#turn.close();
  }

  /** Starts the transaction; another process that writes is waited for without holding a thread. */
  async #begin(
    connection: SqliteConnection,
    deadline: number,
    { deadlineMs, label }: Required<WriteOptions>,
  ): Promise<void> {
    for (;;) {
      try {
        await connection.query({ sql: 'begin immediate', bindings: [] });
        return;
      } catch (error) {
        if (!isBusy(error)) throw error;
        if (performance.now() > deadline) {
          throw busy(`another process has been writing for more than ${deadlineMs} ms while “${label}” waited`, error);
        }
        this.#parts.counters.retries += 1;
        await pause(10);
      }
    }
  }

  async #run<T>(
    connection: SqliteConnection,
    transaction: SqliteTransaction,
    work: (transaction: Transaction) => Promise<T>,
    { timeoutMs, label }: Required<WriteOptions>,
  ): Promise<T> {
    try {
      const working = this.#parts.scope.run({ transaction, savepoint: 0 }, () => work(transaction));
      const result = await within(timeoutMs, working, () => {
        transaction.end(`took longer than ${timeoutMs} ms and was rolled back`);
        connection.interrupt();
        return busy(`“${label}” took longer than ${timeoutMs} ms and was rolled back`);
      });
      transaction.end('has ended');
      await this.#commit(connection, transaction.touched);
      return result;
    } catch (error) {
      transaction.end('was rolled back');
      await this.#rollback(connection, label);
      if (isBusy(error)) throw busy(`“${label}” could not be saved`, error);
      throw error;
    }
  }

  async #commit(connection: SqliteConnection, touched: ReadonlySet<string>): Promise<void> {
    const { watcher } = this.#parts;
    const version = await recordChanges(connection, touched);
    if (version !== null) watcher.ownChange(version);
    try {
      await connection.query({ sql: 'commit', bindings: [] });
    } catch (error) {
      if (version !== null) watcher.disown(version);
      throw error;
    }
  }

  /** SQLite itself may have rolled back already (disk full). A connection whose state is unknown is not used again. */
  async #rollback(connection: SqliteConnection, label: string): Promise<void> {
    try {
      await connection.query({ sql: 'rollback', bindings: [] });
    } catch (error) {
      if (Error.isError(error) && error.message.includes('no transaction is active')) return;
      this.#parts.settings.log.error(
        { err: error, transaction: label },
        'A rollback failed; the write connection is opened anew',
      );
      await connection.close().catch((reason: unknown) => {
        throw away('the write connection is broken', reason);
      });
    }
  }
}
