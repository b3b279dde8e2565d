import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';
import { stackAbove } from '@pergola/core';
import { DatabaseMisuse } from './errors.ts';
import type { IdentityMap } from './identity-map.ts';
import { forgottenAwait, type PendingOperation } from './pending.ts';
import type { Plans } from './plans.ts';
import { traced } from './query-trace.ts';
import { Semaphore } from './semaphore.ts';
import { inspect } from './statement.ts';
import type { DatabaseLog, Dialect, Result, Statement, Transaction } from './types.ts';

/** Transaction and savepoint of the running code. One per database. */
export type WriteScope = AsyncLocalStorage<{ readonly transaction: OpenTransaction; readonly savepoint: number }>;

export function createWriteScope(): WriteScope {
  return new AsyncLocalStorage();
}

/** Statements that don't change rows. */
const reading = /^\s*select\b/i;

interface Effect {
  readonly run: () => void | Promise<void>;
  /** Savepoint it belongs to: discarded with it, or passed on to the enclosing one. */
  savepoint: number;
}

/** A savepoint in the database, and whether anything was written since. */
interface Mark {
  readonly name: string;
  written: boolean;
}

/** Constructor parameters of an open transaction. */
export interface OpenTransactionParts {
  readonly label: string;
  readonly scope: WriteScope;
  readonly plans: Plans;
  readonly identityMap: IdentityMap;
  readonly log: DatabaseLog;
  /** As in `OpenOptions`. */
  readonly strict: boolean;
  /** Name of a savepoint just created for the transaction, if any. */
  readonly base?: string | null;
}

/** Shared behaviour of both dialects' transactions: rejecting late calls, savepoints, effects after the commit. */
export abstract class OpenTransaction implements Transaction {
  abstract readonly dialect: Dialect;
  readonly writable = true as const;
  readonly label: string;
  readonly touched = new Set<string>();
  readonly known: IdentityMap;
  readonly plans: Plans;
  readonly #scope: WriteScope;
  readonly #log: DatabaseLog;
  readonly #strict: boolean;
  readonly #pending = new Set<PendingOperation>();
  hasRolledBack = false;
  #effects: Effect[] = [];
  readonly #last: (() => Promise<void>)[] = [];
  #ended: string | null = null;
  /** Innermost open savepoint; 0 for none. */
  #savepoint = 0;
  #savepoints = 0;
  /** Latest database savepoint; null before the first one. */
  #mark: Mark | null;
  /** Concurrent savepoints run one after another within their enclosing savepoint. */
  readonly #turns = new Map<number, Semaphore>();

  constructor({ label, scope, plans, identityMap, log, strict, base = null }: OpenTransactionParts) {
    this.known = identityMap;
    this.plans = plans;
    this.label = label;
    this.#mark = base === null ? null : { name: base, written: false };
    this.#scope = scope;
    this.#log = log;
    this.#strict = strict;
  }

  /** Runs a statement after it was checked. */
  protected abstract run(statement: Statement): Promise<Result>;
  /** Creates a database savepoint. */
  protected async begin(savepoint: string): Promise<void> {
    await this.run(control(`savepoint ${savepoint}`));
  }
  /** Releases a database savepoint, keeping its changes. */
  protected async release(savepoint: string): Promise<void> {
    await this.run(control(`release savepoint ${savepoint}`));
  }
  abstract lock(table: string, ids: readonly number[]): Promise<void>;
  lineUp(_table: string, _ids: readonly number[]): void {}
  clashedUnseen(_error: Error): void {}

  get ended(): boolean {
    return this.#ended !== null;
  }

  query(statement: Statement): Promise<Result> {
    try {
      this.#checkOpen();
      // Concurrent code outside the savepoint would have its writes rolled back with a savepoint it doesn't know.
      if (this.#savepoint !== 0) this.#checkSavepoint();
    } catch (error) {
      return Promise.reject(error);
    }
    return traced(statement, () => this.#query(statement));
  }

  #query(statement: Statement): Promise<Result> {
    if (statement.changesNothing || reading.test(statement.sql)) return this.run(statement);
    const { verb, table } = inspect(statement.sql);
    return this.operation(table ? `${verb} in ${table}` : verb, () => this.#write(statement));
  }

  async operation<T>(description: string, work: () => Promise<T>): Promise<T> {
    const working = work();
    const operation: PendingOperation = {
      description,
      savepoint: this.#level(),
      calls: this.#strict ? stackAbove(this.operation) : null,
      ended: working,
    };
    this.#pending.add(operation);
    try {
      return await working;
    } finally {
      this.#pending.delete(operation);
    }
  }

  /**
   * Runs the work of the whole transaction, then waits for operations that the work didn't await, so that they are saved completely instead
   * of being cut off.
   *
   * @throws DatabaseMisuse if the database is strict and the work left an operation behind
   */
  async complete<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    const result = await work(this);
    // An operation with several steps may be between two of them.
    if (this.#strict) await setImmediate();
    await this.#settle(0);
    for (const last of this.#last) await last();
    return result;
  }

  /** Waits for operations started in a savepoint that are still running after its work has ended. */
  async #settle(savepoint: number): Promise<void> {
    const stillRunning = (): PendingOperation[] =>
      [...this.#pending].filter((operation) => operation.savepoint === savepoint);
    const first = stillRunning();
    if (first.length === 0) return;
    const error = forgottenAwait(this.label, first);
    for (let pending = first; pending.length > 0; pending = stillRunning()) {
      await Promise.allSettled(pending.map(({ ended }) => ended));
      // An operation with several steps starts the next one now.
      await setImmediate();
    }
    if (this.#strict) throw error;
    this.#log.error({ err: error, transaction: this.label }, 'A write was not awaited, but it was saved');
  }

  /** Reads that overlap with a write aren't added to the known rows. */
  async #write(statement: Statement): Promise<Result> {
    this.known.written(statement.effect);
    this.keepsMark();
    try {
      const result = await this.run(statement);
      this.known.written(statement.effect);
      return result;
    } catch (error) {
      this.known.forget();
      throw error;
    }
  }

  touch(table: string): void {
    this.#checkOpen();
    this.touched.add(table);
  }

  beforeCommit(work: () => Promise<void>): void {
    this.#checkOpen();
    this.#last.push(work);
  }

  afterCommit(run: Effect['run']): void {
    this.#checkOpen();
    this.#effects.push({ run, savepoint: this.#level() });
  }

  async savepoint<T>(work: () => Promise<T>): Promise<T> {
    this.#checkOpen();
    const level = this.#level();
    const turns = this.#turns.get(level) ?? new Semaphore(1);
    this.#turns.set(level, turns);
    return turns.run(() => this.#openSavepoint(level, work));
  }

  /** Changes from here on must not be rolled back with a later savepoint that reuses this one. */
  protected keepsMark(): void {
    if (this.#mark) this.#mark.written = true;
  }

  /** Reuses the last database savepoint if nothing was written since. */
  async #openSavepoint<T>(outer: number, work: () => Promise<T>): Promise<T> {
    this.#checkOpen();
    // Started inside a savepoint but not awaited in time.
    if (this.#savepoint !== outer) throw this.#sideBySide();
    this.#savepoints += 1;
    const inner = this.#savepoints;
    this.#savepoint = inner;
    const outerMark = this.#mark;
    const touched = new Set(this.touched);
    const isOwn = outerMark === null || outerMark.written;
    try {
      if (isOwn) {
        await this.begin(`p${inner}`);
        this.#mark = { name: `p${inner}`, written: false };
      }
      const result = await this.#scope.run({ transaction: this, savepoint: inner }, work);
      this.#checkOpen();
      await this.#settle(inner);
      await this.#leaveMark(outerMark);
      for (const effect of this.#effects) if (effect.savepoint === inner) effect.savepoint = outer;
      return result;
    } catch (error) {
      this.#effects = this.#effects.filter((effect) => effect.savepoint !== inner);
      await this.#undo(outerMark, isOwn);
      // Listeners aren't notified of changes that were rolled back.
      for (const table of this.touched) if (!touched.has(table)) this.touched.delete(table);
      throw error;
    } finally {
      this.#savepoint = outer;
      this.#turns.delete(inner);
    }
  }

  /** Releases a database savepoint nested in another one; the first one stays until the end. */
  async #leaveMark(outerMark: Mark | null): Promise<void> {
    const mark = this.#mark;
    if (mark === null || outerMark === null || mark === outerMark) return;
    this.#mark = outerMark;
    await this.release(mark.name);
  }

  async #undo(outerMark: Mark | null, isOwn: boolean): Promise<void> {
    const mark = this.#mark;
    if (this.ended) return;
    this.hasRolledBack = true;
    this.known.forget();
    try {
      if (mark === null || (isOwn && mark === outerMark)) throw new Error('The savepoint was not made.');
      await this.run(control(`rollback to savepoint ${mark.name}`));
      this.known.forget();
      mark.written = false;
      await this.#leaveMark(outerMark);
    } catch {
      // The caller gets the original error; the transaction can only be rolled back as a whole.
      this.end('could not be undone to a savepoint');
    }
  }

  /** Rejects all further calls with this reason. */
  end(reason: string): void {
    this.#ended ??= reason;
  }

  /** Runs the effects registered for after the commit; a failure doesn't affect the others. */
  async runEffects(log: DatabaseLog): Promise<void> {
    for (const effect of this.#effects) {
      try {
        await effect.run();
      } catch (error) {
        log.error({ err: error, transaction: this.label }, 'The write is saved, but a step after it failed');
      }
    }
  }

  /** Savepoint of the running code; 0 for none. */
  #level(): number {
    const current = this.#scope.getStore();
    return current?.transaction === this ? current.savepoint : 0;
  }

  #checkOpen(): void {
    if (this.#ended === null) return;
    throw new DatabaseMisuse(
      `The transaction “${this.label}” ${this.#ended}, so nothing more can run in it. Await everything before its work returns, and use a new write for what comes later.`,
    );
  }

  #checkSavepoint(): void {
    const current = this.#scope.getStore();
    if (current?.transaction === this && current.savepoint === this.#savepoint) return;
    if (this.#savepoint === 0 && current?.transaction !== this) return;
    throw this.#sideBySide();
  }

  #sideBySide(): DatabaseMisuse {
    return new DatabaseMisuse(
      `Two branches of the transaction “${this.label}” run side by side while one has a savepoint open. Await the savepoint first.`,
    );
  }
}

/** A transaction control statement. */
export function control(sql: string): Statement {
  return { sql, bindings: [], changesNothing: true };
}

/** Rejects a write inside a write, which would wait for itself. */
export function refuseNestedWrite(scope: WriteScope, label: string): void {
  const outer = scope.getStore()?.transaction;
  if (!outer || outer.ended) return;
  throw new DatabaseMisuse(
    `The write “${label}” was started inside the write “${outer.label}” and would wait for itself. Use the open transaction, its savepoint, or afterCommit.`,
  );
}
