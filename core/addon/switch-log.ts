import { rowsOf } from '../db/run.ts';
import type { Database, Transaction } from '../db/types.ts';
import type { Problem } from '../errors.ts';
import type { Sentence, SwitchAction } from './plan.ts';

/** A line of the book of switches: who did what, when, with what result. */
export interface SwitchLogEntry {
  readonly action: SwitchAction | 'start';
  readonly addons: readonly string[];
  readonly result: 'done' | 'failed';
  readonly summary: readonly Sentence[];
  readonly problems: readonly Problem[];
  readonly durationMs: number;
  readonly by: string;
}

/** Enters a line. */
export async function enterSwitchLog(
  database: Database,
  transaction: Transaction,
  entry: SwitchLogEntry,
): Promise<void> {
  const { knex, codec } = database;
  const row = {
    action: entry.action,
    addons: codec.encode('json', entry.addons),
    result: entry.result,
    summary: codec.encode('json', entry.summary),
    problems: codec.encode('json', entry.problems),
    duration_ms: Math.round(entry.durationMs),
    changed_by: entry.by,
    create_date: codec.encode('datetime', new Date()),
  };
  await rowsOf(transaction, knex('core_addon_log').insert(row));
  transaction.touch('core_addon_log');
}
