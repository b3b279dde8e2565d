import type { Ctx } from '@pergola/core';
import { NotFound, PergolaError } from '@pergola/core';
import {
  changesOf,
  type Database,
  databaseSession,
  rowsOf,
  type TableSpec,
  type Transaction,
  transactionOf,
} from '@pergola/db';
import { type Id, modelRegistry } from '@pergola/orm';
import { replaceChoice } from './backfill.ts';
import type { LedgerEntry } from './ledger.ts';

/** Core tables whose rows name their addon in the first part of a name. */
const namedRows: readonly (readonly [table: string, column: string])[] = [
  ['core_setting', 'name'],
  ['core_job', 'name'],
  ['core_cron', 'name'],
];

/** Rows to remove, and the current state. */
export interface RowRemoval {
  readonly addons: readonly string[];
  /** Objects of the removed addons. */
  readonly ownedEntries: readonly LedgerEntry[];
  /** The whole ledger, with the objects of other addons. */
  readonly ledger: readonly LedgerEntry[];
  /** Remaining tables. */
  readonly current: readonly TableSpec[];
}

/**
 * Removes rows that belong to addons, or refer to their models, from remaining tables: shipped records, attachments and similar rows,
 * selection values, settings, waiting jobs. Shipped records that others still reference are kept and now belong to those; returns their
 * number. The addons' own tables and columns are dropped already, so they reference nothing.
 */
export async function removeRows(ctx: Ctx, removal: RowRemoval): Promise<{ keptCount: number }> {
  const { database } = ctx.get(databaseSession);
  const transaction = transactionOf(ctx);
  const models = new Set(removal.ownedEntries.flatMap((entry) => (entry.kind === 'model' ? [entry.name] : [])));
  const keptCount = await removeShipped(ctx, transaction, removal, models);
  await removeAttached(database, transaction, removal, models);
  const staying = new Set(removal.current.map(({ name }) => name));
  for (const entry of removal.ownedEntries) {
    const isGone = removal.ownedEntries.some(({ kind, table }) => kind === 'table' && table === entry.table);
    if (entry.kind === 'choice' && staying.has(entry.table) && !isGone) await replaceChoice(ctx, entry.table, entry);
  }
  for (const [table, column] of namedRows) {
    for (const addon of removal.addons) {
      // `_` is a letter in names but a wildcard in patterns, so the length marks the end of the name.
      const query = database
        .knex(table)
        .whereRaw('substr(??, 1, ?) = ?', [column, addon.length + 1, `${addon}.`])
        .delete();
      if ((await changesOf(transaction, query)) > 0) transaction.touch(table);
    }
  }
  await forgetExternalIds(database, transaction, removal.addons, models);
  return { keptCount };
}

async function removeShipped(
  ctx: Ctx,
  transaction: Transaction,
  { addons, ledger, current }: RowRemoval,
  models: ReadonlySet<string>,
): Promise<number> {
  const { database } = ctx.get(databaseSession);
  const registry = ctx.get(modelRegistry);
  const query = database
    .knex('core_external_id')
    .select('model', 'record_id')
    .whereIn('addon', [...addons])
    .whereNotNull('record_id');
  const shipped = (await rowsOf(transaction, query.orderBy('id', 'desc'))).filter(
    ({ model }) => !models.has(String(model)),
  );
  const byModel = Map.groupBy(shipped, ({ model }) => String(model));
  const tableOf = (model: string): string | undefined =>
    registry.get(model)?.table ?? ledger.find((entry) => entry.kind === 'model' && entry.name === model)?.table;
  const going: RowSet = new Map();
  for (const [model, records] of byModel) {
    const ids = records.map(({ record_id: id }) => Number(id));
    going.set(tableOf(model) ?? '', new Set([...(going.get(tableOf(model) ?? '') ?? []), ...ids]));
  }
  const sizeBefore = sizeOf(going);
  await keepUsed(database, transaction, going, current);
  let keptCount = sizeBefore - sizeOf(going);
  for (const model of byModel.keys()) {
    const table = tableOf(model);
    const ids = [...(going.get(table ?? '') ?? [])].sort((a, b) => b - a);
    if (table === undefined || ids.length === 0) continue;
    const remove = registry.get(model)
      ? (rowIds: readonly Id[]) => ctx.modelNamed(model).unlink(rowIds)
      : // A model of a disabled addon, whose code can't be consulted about its rows.
        (rowIds: readonly Id[]) => deleteRows(database, transaction, table, rowIds);
    keptCount += await removeOrKeep(ctx, remove, ids);
  }
  return keptCount;
}

function sizeOf(rows: RowSet): number {
  return [...rows.values()].reduce((sum, ids) => sum + ids.size, 0);
}

/** All at once if possible, otherwise one by one. */
async function removeOrKeep(
  ctx: Ctx,
  remove: (ids: readonly Id[]) => Promise<void>,
  ids: readonly Id[],
): Promise<number> {
  const attempt = async (rowIds: readonly Id[]): Promise<boolean> => {
    try {
      await ctx.savepoint(() => remove(rowIds));
      return true;
    } catch (error) {
      if (error instanceof NotFound) return rowIds.length === 1;
      // The record is in use, or a rule of its model forbids the deletion.
      if (error instanceof PergolaError) return false;
      throw error;
    }
  };
  if (await attempt(ids)) return 0;
  let keptCount = 0;
  for (const id of ids) if (!(await attempt([id]))) keptCount += 1;
  return keptCount;
}

async function deleteRows(
  database: Database,
  transaction: Transaction,
  table: string,
  ids: readonly Id[],
): Promise<void> {
  await rowsOf(
    transaction,
    database
      .knex(table)
      .whereIn('id', [...ids])
      .delete(),
  );
  transaction.touch(table);
}

/** Rows of remaining tables that refer to a record of these models. */
async function removeAttached(
  database: Database,
  transaction: Transaction,
  { addons, ledger, current }: RowRemoval,
  models: ReadonlySet<string>,
): Promise<void> {
  if (models.size === 0) return;
  const present = new Set(current.map(({ name }) => name));
  for (const entry of ledger) {
    if (entry.kind !== 'pair' || addons.includes(entry.addon) || !present.has(entry.table)) continue;
    const query = database
      .knex(entry.table)
      .whereIn(entry.model, [...models])
      .delete();
    if ((await changesOf(transaction, query)) > 0) transaction.touch(entry.table);
  }
}

async function forgetExternalIds(
  { knex }: Database,
  transaction: Transaction,
  addons: readonly string[],
  models: ReadonlySet<string>,
): Promise<void> {
  await rowsOf(
    transaction,
    knex('core_external_id')
      .whereIn('addon', [...addons])
      .delete(),
  );
  await rowsOf(
    transaction,
    knex('core_external_id')
      .whereIn('model', [...models])
      .delete(),
  );
  transaction.touch('core_external_id');
}

/** Rows by table. */
type RowSet = Map<string, Set<Id>>;

/**
 * Excludes rows from `rows` that are referenced by a row outside it, repeatedly, until no remaining row references a removed one. Links
 * between two tables don't count: they are removed with either side.
 */
async function keepUsed(
  { knex }: Pick<Database, 'knex'>,
  transaction: Transaction,
  rows: RowSet,
  current: readonly TableSpec[],
): Promise<void> {
  const references = current
    .filter(({ columns }) => columns.some(({ kind }) => kind === 'id'))
    .flatMap(({ name: from, columns }) =>
      columns.flatMap(({ name: column, references: to }) =>
        to && rows.has(to.table) ? [{ from, column, to: to.table }] : [],
      ),
    );
  for (let changed = true; changed; ) {
    changed = false;
    for (const { from, column, to } of references) {
      const ids = rows.get(to);
      if (!ids || ids.size === 0) continue;
      const leading = await rowsOf(
        transaction,
        knex(from)
          .select('id', { target: column })
          .whereIn(column, [...ids]),
      );
      for (const { id, target } of leading) {
        // A row that references itself isn't kept by that.
        if (!rows.get(from)?.has(Number(id)) && ids.delete(Number(target))) changed = true;
      }
    }
  }
}
