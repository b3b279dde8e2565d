import { Unavailable } from '@pergola/core';
import type { DatabaseLog, DatabaseMetrics, OpenOptions, Result, WriteOptions } from './types.ts';

/** Options shared by all parts of an open database, with defaults filled in. */
export interface Settings {
  readonly log: DatabaseLog;
  readonly strict: boolean;
  readonly readers: number;
  readonly writers: number;
  readonly statements: number;
  readonly deadlineMs: number;
  /** How long a write waits for its turn; competing writes are served one after the other. */
  readonly patienceMs: number;
  /** Time limit for a transaction. */
  readonly transactionMs: number;
  /** How long a statement waits for a lock. */
  readonly lockMs: number;
}

export function settingsFrom(options: OpenOptions, readers: number): Settings {
  const { patience = 1 } = options;
  return {
    log: options.log,
    strict: options.strict ?? false,
    readers: options.readers ?? readers,
    writers: options.writers ?? 8,
    statements: options.statements ?? 500,
    deadlineMs: options.deadlineMs ?? 5_000 * patience,
    patienceMs: options.deadlineMs ?? 20_000 * patience,
    transactionMs: 30_000 * patience,
    lockMs: 5_000 * patience,
  };
}

/** Default time limit for a read statement, in milliseconds. */
export const maxReadMs = 30_000;

export function writeDefaults(options: WriteOptions | undefined, settings: Settings): Required<WriteOptions> {
  return {
    deadlineMs: options?.deadlineMs ?? settings.patienceMs,
    retries: options?.retries ?? 5,
    timeoutMs: options?.timeoutMs ?? settings.transactionMs,
    lockTimeoutMs: options?.lockTimeoutMs ?? settings.lockMs,
    label: options?.label ?? 'unnamed write',
  };
}

/** Counters since the database was opened; see `DatabaseMetrics`. */
export type Counters = {
  -readonly [K in 'reads' | 'rowsRead' | 'writes' | 'writesFailed' | 'retries' | 'unavailable']: DatabaseMetrics[K];
};

export function createCounters(): Counters {
  return { reads: 0, rowsRead: 0, writes: 0, writesFailed: 0, retries: 0, unavailable: 0 };
}

/** Counts the rows of a read. */
export function counting(counters: Counters, result: Result): Result {
  counters.rowsRead += result.rows.length;
  return result;
}

/** Waits, with up to 50 % of random jitter, so that competing callers don't retry at the same moment. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds * (1 + Math.random() / 2)));
}

/** Returns the result of the work, or throws the error of `late` after the time limit; 0 waits forever. */
export async function within<T>(milliseconds: number, working: Promise<T>, late: () => Error): Promise<T> {
  if (milliseconds === 0) return working;
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), milliseconds);
  });
  try {
    return await Promise.race([working, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

/** Counts calls that end in `Unavailable`. */
export async function counted<T>(counters: Counters, running: Promise<T>): Promise<T> {
  try {
    return await running;
  } catch (error) {
    if (error instanceof Unavailable) counters.unavailable += 1;
    throw error;
  }
}
