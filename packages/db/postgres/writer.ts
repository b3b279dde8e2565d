import { Unavailable } from '@pergola/core';
import type { ChangeBoard } from '../change-board.ts';
import { away, busy } from '../errors.ts';
import { IdentityMap } from '../identity-map.ts';
import type { Plans } from '../plans.ts';
import type { Pool } from '../pool.ts';
import { type Counters, pause, type Settings, within, writeDefaults } from '../settings.ts';
import { inspect } from '../statement.ts';
import {
  control,
  OpenTransaction,
  type OpenTransactionParts,
  refuseNestedWrite,
  type WriteScope,
} from '../transaction.ts';
import type { Result, Statement, Transaction, WriteOptions } from '../types.ts';
import { lockMs, type PostgresConnection, type StatementNames, statementMs } from './connection.ts';
import { ConnectionLost, isStale, Overtaken } from './errors.ts';
import { KeyedMutex } from './keyed-mutex.ts';
import { notifySql } from './listener.ts';
import { RowLocks } from './locks.ts';

export interface PostgresWriterParts {
  settings: Settings;
  counters: Counters;
  changes: ChangeBoard;
  scope: WriteScope;
  plans: Plans;
  pool: Pool<PostgresConnection>;
  names: StatementNames;
  /** Identifies this node, so that other nodes can distinguish our notifications from their own. */
  node: string;
}

/** Attempts that only wait for a lock aren't counted as retries, but this limit stops work that keeps requesting more locks. */
const maxTries = 50;

class PostgresTransaction extends OpenTransaction {
  readonly dialect = 'postgres';
  readonly #connection: PostgresConnection;
  readonly #locks: RowLocks;
  /** Rows locked by this attempt, as `table id`. */
  readonly #locked = new Set<string>();
  /** Reason why this attempt has to be retried, even if the work caught the error. */
  doom: Overtaken | ConnectionLost | null = null;

  constructor(connection: PostgresConnection, locks: RowLocks, parts: Omit<OpenTransactionParts, 'identityMap'>) {
    super({ ...parts, identityMap: new IdentityMap('postgres') });
    this.#connection = connection;
    this.#locks = locks;
  }

  async lock(table: string, ids: readonly number[]): Promise<void> {
    const fresh = ids.filter((id) => !this.#locked.has(`${table} ${id}`));
    if (fresh.length === 0) return;
    this.lineUp(table, fresh);
    // Earlier reads stay valid: if others had changed these rows since the start of the transaction, it would have to be retried.
    this.keepsMark();
    await this.#orDoom(this.#locks.take((statement) => this.query(statement), table, fresh));
    for (const id of fresh) this.#locked.add(`${table} ${id}`);
  }

  override lineUp(table: string, ids: readonly number[]): void {
    if (!this.#locks.areTaken(table, ids)) return;
    const overtaken = new Overtaken(`Others of this process hold a lock on ${table}`, 'lock');
    this.#startAgain(overtaken);
    throw overtaken;
  }

  override async savepoint<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await super.savepoint(work);
    } catch (error) {
      // Locks taken inside the savepoint are released with it.
      this.#locked.clear();
      throw error;
    }
  }

  protected override run(statement: Statement): Promise<Result> {
    if (statement.isAhead) return this.#ahead(statement);
    return this.#orDoom(
      this.#connection.query(statement).catch((error: unknown) => Promise.reject(this.#met(statement, error))),
    );
  }

  override clashedUnseen(error: Error): void {
    this.#startAgain(new Overtaken(error.message, 'unique', { cause: error }));
  }

  protected override begin(savepoint: string): Promise<void> {
    return this.#connection.ahead(control(`savepoint ${savepoint}`));
  }

  protected override release(savepoint: string): Promise<void> {
    return this.#connection.ahead(control(`release savepoint ${savepoint}`));
  }

  async #ahead(statement: Statement): Promise<Result> {
    await this.#connection.ahead(statement, (error) => {
      const met = this.#met(statement, error);
      // A lost connection is reported by the statement sent with this one: during a commit, the outcome is unknown.
      if (met instanceof Overtaken) this.#startAgain(met);
    });
    return { rows: [], changes: 0 };
  }

  /** Others changed rows used by this attempt: the next one waits for them, as for a lock. */
  #met({ sql, meets }: Statement, error: unknown): unknown {
    if (!(error instanceof Overtaken) || isStale(error) || !meets) return error;
    const table = error.referred ?? inspect(sql).table;
    const waits = this.#locks.want(table, meets().get(table) ?? []);
    return waits ? new Overtaken(error.message, 'lock', { cause: error }) : error;
  }

  async #orDoom<T>(running: Promise<T>): Promise<T> {
    try {
      return await running;
    } catch (error) {
      if (error instanceof Overtaken || error instanceof ConnectionLost) this.#startAgain(error);
      throw error;
    }
  }

  #startAgain(reason: Overtaken | ConnectionLost): void {
    this.doom ??= reason;
    this.end('has to start again, because others changed the same rows');
  }
}

/** One call of `write`, with all its attempts. */
interface Attempt<T> {
  readonly work: (transaction: Transaction) => Promise<T>;
  readonly writeOptions: Required<WriteOptions>;
  readonly deadline: number;
  readonly locks: RowLocks;
}

interface Done<T> {
  readonly result: T;
  readonly transaction: PostgresTransaction;
}

/** Runs write transactions on the write pool, retrying them after conflicts. */
export class PostgresWriter {
  readonly #parts: PostgresWriterParts;
  readonly #mutex = new KeyedMutex();

  constructor(parts: PostgresWriterParts) {
    this.#parts = parts;
  }

  async write<T>(work: (transaction: Transaction) => Promise<T>, options?: WriteOptions): Promise<T> {
    const { settings, counters, scope, changes } = this.#parts;
    const writeOptions = writeDefaults(options, settings);
    refuseNestedWrite(scope, writeOptions.label);
    const attempt = {
      work,
      writeOptions,
      deadline: performance.now() + writeOptions.deadlineMs,
      locks: new RowLocks(this.#mutex),
    };
    try {
      const { result, transaction } = await this.#untilDone(attempt);
      counters.writes += 1;
      changes.bump(transaction.touched, 'local');
      await transaction.runEffects(settings.log);
      return result;
    } catch (error) {
      counters.writesFailed += 1;
      throw error;
    }
  }

  async #untilDone<T>(attempt: Attempt<T>): Promise<Done<T>> {
    let retries = attempt.writeOptions.retries;
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#inTurn(attempt);
      } catch (error) {
        if (!(error instanceof Overtaken || error instanceof ConnectionLost)) throw error;
        if (isStale(error)) this.#parts.names.renew();
        if (!(error instanceof Overtaken && error.code === 'lock')) retries -= 1;
        if (retries < 0 || tries >= maxTries || performance.now() > attempt.deadline)
          throw givenUp(error, attempt.writeOptions.label);
        this.#parts.counters.retries += 1;
        await pause(error instanceof ConnectionLost ? 20 * tries : 2 * tries);
      }
    }
  }

  /** Waits for writes of this process that need the same locks; the first attempt finds out which. */
  async #inTurn<T>(attempt: Attempt<T>): Promise<Done<T>> {
    const leave = await this.#mutex.enter(attempt.locks.names, attempt.deadline - performance.now());
    try {
      return await this.#onConnection(attempt);
    } finally {
      leave();
    }
  }

  async #onConnection<T>(attempt: Attempt<T>): Promise<Done<T>> {
    const { pool } = this.#parts;
    const connection = await pool.acquire(Math.max(1, attempt.deadline - performance.now()));
    try {
      await attempt.locks.hold(connection, attempt.deadline - performance.now());
      return await this.#try(connection, attempt);
    } finally {
      await attempt.locks.release(connection).catch(() => connection.close());
      pool.release(connection);
    }
  }

  async #try<T>(connection: PostgresConnection, { work, writeOptions, locks }: Attempt<T>): Promise<Done<T>> {
    const { scope, plans, settings } = this.#parts;
    const { log, strict } = settings;
    const parts = { label: writeOptions.label, scope, plans, log, strict };
    const transaction = new PostgresTransaction(connection, locks, parts);
    try {
      await connection.ahead(control(beginSql(writeOptions)));
      const working = scope.run({ transaction, savepoint: 0 }, () => transaction.complete(work));
      const result = await within(writeOptions.timeoutMs, working, () => {
        transaction.end(`took longer than ${writeOptions.timeoutMs} ms and was rolled back`);
        void connection.close();
        return busy(`“${writeOptions.label}” took longer than ${writeOptions.timeoutMs} ms and was rolled back`);
      });
      if (transaction.doom) throw transaction.doom;
      transaction.end('has ended');
      await this.#commit(connection, transaction, locks);
      return { result, transaction };
    } catch (error) {
      // Read before the rollback, which may find the connection closed by the timeout above.
      const reason = transaction.doom ?? error;
      transaction.end('was rolled back');
      await connection.rollback().catch(() => connection.close());
      throw reason;
    }
  }

  /** If the connection is lost here, it is unknown whether the server committed, so the work must not be retried. */
  async #commit(connection: PostgresConnection, { touched }: PostgresTransaction, locks: RowLocks): Promise<void> {
    try {
      await connection.run(`${notifySql(this.#parts.node, touched)}commit${locks.releaseSql}`);
      locks.released();
    } catch (error) {
      if (!(error instanceof ConnectionLost)) throw error;
      throw new Unavailable(
        'The database connection was lost while saving. Check whether your changes were saved before you try again.',
        {
          code: 'core.commit_unknown',
          cause: error,
        },
      );
    }
  }
}

function beginSql({ lockTimeoutMs, timeoutMs }: Required<WriteOptions>): string {
  const local: string[] = [];
  if (lockTimeoutMs !== lockMs) local.push(`; set local lock_timeout = ${Number(lockTimeoutMs)}`);
  if (timeoutMs !== statementMs) {
    local.push(
      `; set local statement_timeout = ${Number(timeoutMs)}; set local idle_in_transaction_session_timeout = ${Number(timeoutMs)}`,
    );
  }
  return `begin isolation level repeatable read${local.join('')}`;
}

function givenUp(error: Overtaken | ConnectionLost, label: string): Error {
  if (error instanceof Overtaken && error.code === 'unique' && error.cause instanceof Error) return error.cause;
  if (error instanceof ConnectionLost) return away('the connection was lost', error);
  return busy(`others kept changing what “${label}” was about to change`, error);
}
