import type { PastSwitch, Problem, Sentence } from '@pergola/core';
import { type Database, rowsOf, type Transaction } from '@pergola/db';

/** An unsaved entry of the switch log. */
export type SwitchLogEntry = Omit<PastSwitch, 'id' | 'at'>;

/** Adds an entry. */
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

/** Latest entries, newest first. */
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
