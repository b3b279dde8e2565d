import type { Problem } from '../base/errors.ts';
import { rowsOf } from '../db/run.ts';
import type { Database, Transaction } from '../db/types.ts';
import type { SwitchAction } from '../kernel/plan.ts';
import type { Sentence } from '../kernel/sentence.ts';

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

/** A line of the book as it is kept. */
export interface PastSwitch extends SwitchLogEntry {
  readonly id: number;
  readonly at: Date;
}

/** The latest lines, newest first. */
export async function readSwitchLog({ knex, codec, reader }: Database, limit: number): Promise<PastSwitch[]> {
  const rows = await rowsOf(reader, knex('core_addon_log').select().orderBy('id', 'desc').limit(limit));
  const list = <T>(value: unknown): readonly T[] => (codec.decode('json', value) ?? []) as readonly T[];
  return rows.map((row) => ({
    id: Number(row.id),
    action: String(row.action) as SwitchLogEntry['action'],
    addons: list<string>(row.addons),
    result: row.result === 'done' ? 'done' : 'failed',
    summary: list<Sentence>(row.summary),
    problems: list<Problem>(row.problems),
    durationMs: Number(row.duration_ms ?? 0),
    by: String(row.changed_by ?? ''),
    at: codec.decode('datetime', row.create_date) as Date,
  }));
}
