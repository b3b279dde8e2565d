import { Unavailable } from '@pergola/core';
import type { ChangeBoard } from '../change-board.ts';
import { away, busy } from '../errors.ts';
import { IdentityMap } from '../identity-map.ts';
import type { Plans } from '../plans.ts';
import { Pool } from '../pool.ts';
import { type Counters, pause, type Settings, within, writeDefaults } from '../settings.ts';
import {
  control,
  OpenTransaction,
  type OpenTransactionParts,
  refuseNestedWrite,
  type WriteScope,
} from '../transaction.ts';
import type { Result, Statement, Transaction, WriteOptions } from '../types.ts';
import type { SqliteConnection } from './connection.ts';
import { isBusy } from './errors.ts';
import { GroupCommit, WriteTimings } from './group-commit.ts';
import { recordChanges, type SqliteWatcher } from './watcher.ts';

export interface SqliteWriterParts {
  settings: Settings;
  counters: Counters;
  changes: ChangeBoard;
  scope: WriteScope;
  plans: Plans;
  open(): Promise<SqliteConnection>;
  watcher: SqliteWatcher;
}

class SqliteTransaction extends OpenTransaction {
  readonly dialect = 'sqlite';
  readonly #connection: SqliteConnection;
  /** Reason why the write can't be saved, even if the work caught the error: SQLite may have rolled everything back. */
  doom: unknown = null;

  constructor(connection: SqliteConnection, parts: Omit<OpenTransactionParts, 'identityMap'>) {
    super({ ...parts, identityMap: new IdentityMap('sqlite') });
    this.#connection = connection;
  }

  /** Writes are exclusive anyway. */
  async lock(): Promise<void> {}

  protected override async run(statement: Statement): Promise<Result> {
    try {
      return await this.#connection.query(statement);
    } catch (error) {
      if (error instanceof Unavailable) {
        this.doom ??= error;
        this.end('was given up by the database');
      }
      throw error;
    }
  }
}

/** One call of `write`. */
interface Attempt<T> {
  readonly work: (transaction: Transaction) => Promise<T>;
  readonly writeOptions: Required<WriteOptions>;
}

interface Done<T> {
  readonly result: T;
  readonly transaction: SqliteTransaction;
}

/**
 * The single write connection, behind a queue.
 *
 * Several would block each other inside libuv's threads until none is left for reads; so writers of this process wait here, in memory, and
 * only writers of other processes are waited for by polling. Quick writes that are waiting already share a commit: see `GroupCommit`.
 */
export class SqliteWriter {
  readonly #parts: SqliteWriterParts;
  readonly #turn: Pool<SqliteConnection>;
  readonly #timings = new WriteTimings();
  /** Finished writes waiting for a commit; used only by the holder of the connection. */
  #group: GroupCommit | null = null;

  constructor(parts: SqliteWriterParts) {
    this.#parts = parts;
    this.#turn = new Pool({
      size: 1,
      deadlineMs: parts.settings.deadlineMs,
      resource: 'write connection',
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
    const writeOptions = writeDefaults(options, settings);
    refuseNestedWrite(scope, writeOptions.label);
    try {
      const { result, transaction } = await this.#untilSaved({ work, writeOptions });
      counters.writes += 1;
      changes.bump(transaction.touched, 'local');
      await transaction.runEffects(settings.log);
      return result;
    } catch (error) {
      counters.writesFailed += 1;
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#turn.close();
  }

  /** A write that couldn't be saved with others is retried alone: the failure may have been caused by another one. */
  async #untilSaved<T>(attempt: Attempt<T>): Promise<Done<T>> {
    const { label } = attempt.writeOptions;
    if (this.#timings.isQuick(label)) {
      const done = await this.#inTurn(attempt, true);
      if (done) return done;
      this.#parts.counters.retries += 1;
      this.#parts.settings.log.debug({ transaction: label }, 'A write that shared a commit is done again');
    }
    const done = await this.#inTurn(attempt, false);
    if (!done) throw away(`“${label}” could not be saved`);
    return done;
  }

  /** Null if the work succeeded but its group couldn't be saved. */
  async #inTurn<T>(attempt: Attempt<T>, shares: boolean): Promise<Done<T> | null> {
    const { deadlineMs } = attempt.writeOptions;
    const deadline = performance.now() + deadlineMs;
    const connection = await this.#turn.acquire(deadlineMs);
    let group: GroupCommit;
    let done: Done<T>;
    try {
      group = await this.#join(connection, shares, deadline, attempt.writeOptions);
      done = await this.#run(connection, group, attempt);
      if (!shares || this.#turn.waiting === 0 || !group.isOpen) await this.#commit(connection);
    } catch (error) {
      // Earlier writes of the group still have to be saved, by the next in turn if there is one.
      if (this.#group !== null && this.#turn.waiting === 0) await this.#commit(connection);
      throw error;
    } finally {
      this.#turn.release(connection);
    }
    const outcome = await group.outcome;
    if (outcome.saved) return done;
    if (group.size > 1) return null;
    throw outcome.error;
  }

  /** Joins the open group if there is one and it can be shared; otherwise starts a new one. */
  async #join(
    connection: SqliteConnection,
    shares: boolean,
    deadline: number,
    writeOptions: Required<WriteOptions>,
  ): Promise<GroupCommit> {
    const open = this.#group;
    if (open !== null && shares && open.isOpen) {
      // Statements of a connection run in order, so the work needn't wait for the savepoint.
      open.begins(connection.query(control(`savepoint ${open.base}`)));
      return open;
    }
    if (open !== null) await this.#commit(connection);
    await this.#begin(connection, deadline, writeOptions);
    this.#group = new GroupCommit();
    return this.#group;
  }

  /** Starts the transaction; waits for writers of other processes without blocking a thread. */
  async #begin(
    connection: SqliteConnection,
    deadline: number,
    { deadlineMs, label }: Required<WriteOptions>,
  ): Promise<void> {
    for (;;) {
      try {
        await connection.query(control('begin immediate'));
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
    group: GroupCommit,
    { work, writeOptions }: Attempt<T>,
  ): Promise<Done<T>> {
    const { timeoutMs, label } = writeOptions;
    const { scope, plans, settings } = this.#parts;
    const { log, strict } = settings;
    const transaction = new SqliteTransaction(connection, { label, scope, plans, log, strict, base: group.base });
    const startedAt = performance.now();
    try {
      const working = scope.run({ transaction, savepoint: 0 }, () => transaction.complete(work));
      const result = await within(timeoutMs, working, () => {
        transaction.end(`took longer than ${timeoutMs} ms and was rolled back`);
        connection.interrupt();
        return busy(`“${label}” took longer than ${timeoutMs} ms and was rolled back`);
      });
      await group.savepointMade;
      if (transaction.doom !== null) throw transaction.doom;
      transaction.end('has ended');
      group.done(transaction.touched);
      return { result, transaction };
    } catch (error) {
      transaction.end('was rolled back');
      await this.#undo(connection, group, label);
      if (isBusy(error)) throw busy(`“${label}” could not be saved`, error);
      throw error;
    } finally {
      this.#timings.took(label, performance.now() - startedAt);
    }
  }

  /** Rolls back the last write. If that fails, the others can't be saved either. */
  async #undo(connection: SqliteConnection, group: GroupCommit, label: string): Promise<void> {
    if (group.base !== null) {
      try {
        await connection.query(control(`rollback to savepoint ${group.base}`));
        return;
      } catch (error) {
        group.end({ saved: false, error });
      }
    }
    this.#group = null;
    await this.#rollback(connection, label);
  }

  /** Commits the waiting writes. Never throws: each waiter gets the outcome. */
  async #commit(connection: SqliteConnection): Promise<void> {
    const group = this.#group;
    if (group === null) return;
    this.#group = null;
    const { watcher } = this.#parts;
    let version: number | null = null;
    try {
      version = await recordChanges(connection, group.touched);
      if (version !== null) watcher.ownChange(version);
      await connection.query(control('commit'));
      group.end({ saved: true });
    } catch (error) {
      if (version !== null) watcher.disown(version);
      await this.#rollback(connection, 'commit');
      group.end({ saved: false, error: isBusy(error) ? busy('a write could not be saved', error) : error });
    }
  }

  /** SQLite may have rolled back already (disk full). A connection in an unknown state isn't reused. */
  async #rollback(connection: SqliteConnection, label: string): Promise<void> {
    try {
      await connection.query(control('rollback'));
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
