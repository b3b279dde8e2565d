import { type Connection, Placeholder, type Row, type Transaction } from '@pergola/db';
import type { Knex } from 'knex';
import type { Id } from '../fields.ts';
import { amongIds, deleteRows, howMany, insertRows, placeholdersFor, updateRows } from '../write/sql.ts';

/** Hashes of a shipped value, by `field` or `field:language`: of the stored and of the shipped value. */
export type Checksums = Readonly<Record<string, readonly [kept: string, shipped: string]>>;

/** A row of `core_external_id`. */
export interface ExternalId {
  readonly id: Id;
  readonly addon: string;
  readonly name: string;
  /** `forum/data` */
  readonly source: string;
  readonly model: string;
  /** Null if the record is created only once and has been deleted. */
  readonly recordId: Id | null;
  readonly noupdate: boolean;
  readonly checksums: Checksums;
}

const table = 'core_external_id';

/** Splits `base.eur` into its parts, or returns null if it isn't an external id. */
export function parseExternalId(text: string): { addon: string; name: string } | null {
  const match = /^([a-z][a-z0-9_]{0,62})\.([\w.-]{1,120})$/.exec(text);
  return match?.[1] && match[2] ? { addon: match[1], name: match[2] } : null;
}

/** Returns the external ids with one of these addons as their first part, by their full text. */
export async function externalIdsOf(
  connection: Connection,
  addons: Iterable<string>,
): Promise<Map<string, ExternalId>> {
  const externals = new Map<string, ExternalId>();
  for (const addon of new Set(addons)) {
    for (const external of await select(connection, { addon })) {
      externals.set(`${external.addon}.${external.name}`, external);
    }
  }
  return externals;
}

/** Returns the external ids created by one kind of an addon's data, in order of creation. */
export function externalIdsFrom(connection: Connection, source: string): Promise<ExternalId[]> {
  return select(connection, { source });
}

/** Returns one external id, or null. */
export async function findExternalId(connection: Connection, addon: string, name: string): Promise<ExternalId | null> {
  const [externalId] = await select(connection, { addon, name });
  return externalId ?? null;
}

async function select(connection: Connection, where: Readonly<Record<string, string>>): Promise<ExternalId[]> {
  const columns = Object.keys(where);
  const statement = connection.plans.statement(`select ${table} by ${columns}`, [Object.values(where)], (knex) =>
    knex(table).where(placeholdersFor(columns)).orderBy('id'),
  );
  return (await connection.query(statement)).rows.map(toExternalId);
}

/** Stores new external ids. */
export async function insertExternalIds(
  transaction: Transaction,
  externals: readonly Omit<ExternalId, 'id'>[],
): Promise<void> {
  if (externals.length === 0) return;
  await insertRows(
    transaction,
    table,
    ['addon', 'name', 'source', 'model', 'record_id', 'noupdate', 'checksums'],
    externals.map(({ addon, name, source, model, recordId, noupdate, checksums }) => [
      addon,
      name,
      source,
      model,
      recordId,
      encodeFlag(transaction, noupdate),
      JSON.stringify(checksums),
    ]),
  );
  transaction.touch(table);
}

/** Updates the checksums and source of a shipped record. */
export async function updateExternalId(
  transaction: Transaction,
  id: Id,
  { checksums, noupdate, source }: Pick<ExternalId, 'checksums' | 'noupdate' | 'source'>,
): Promise<void> {
  const values = { checksums: JSON.stringify(checksums), noupdate: encodeFlag(transaction, noupdate), source };
  await updateRows(transaction, table, new Map(Object.entries(values)), [id]);
  transaction.touch(table);
}

/** Deletes external ids without their records. */
export async function deleteExternalIds(transaction: Transaction, ids: readonly Id[]): Promise<void> {
  const { changes } = await deleteRows(transaction, table, [{ column: 'id', ids }]);
  if (changes > 0) transaction.touch(table);
}

/**
 * Deletes the external ids of deleted records. The ids of records created only once are kept without a record, so that no upgrade creates
 * them again.
 */
export async function forgetExternalIds(transaction: Transaction, model: string, ids: readonly Id[]): Promise<void> {
  const change = (shape: string, build: (knex: Knex, records: Knex.QueryBuilder) => Knex.QueryBuilder) =>
    transaction.query(
      transaction.plans.statement(`${shape} ${table} ${howMany(ids)}`, [[model, ids]], (knex) =>
        build(
          knex,
          amongIds(transaction, knex(table).where({ model: new Placeholder(0) }), { column: 'record_id', ids }, 1),
        ),
      ),
    );
  const removed = await change('forget', (_, records) => records.whereRaw('not ??', ['noupdate']).delete());
  const emptied = await change('empty', (knex, records) => records.update({ record_id: knex.raw('null') }));
  if (removed.changes + emptied.changes > 0) transaction.touch(table);
}

/** Returns the stored external ids of records. */
export async function externalIdsOfRecords(
  transaction: Transaction,
  model: string,
  ids: readonly Id[],
): Promise<ExternalId[]> {
  const statement = transaction.plans.statement(`select ${table} of ${howMany(ids)}`, [[model, ids]], (knex) =>
    amongIds(transaction, knex(table).where({ model: new Placeholder(0) }), { column: 'record_id', ids }, 1),
  );
  return (await transaction.query(statement)).rows.map(toExternalId);
}

/** Gives restored records their external ids back. */
export async function restoreExternalIds(transaction: Transaction, externals: readonly ExternalId[]): Promise<void> {
  const missing: ExternalId[] = [];
  for (const external of externals) {
    const existing = await findExternalId(transaction, external.addon, external.name);
    if (!existing) missing.push(external);
    else if (existing.recordId === null)
      await updateRows(transaction, table, new Map([['record_id', external.recordId]]), [existing.id]);
  }
  await insertExternalIds(transaction, missing);
  if (externals.length > 0) transaction.touch(table);
}

function encodeFlag({ dialect }: Connection, flag: boolean): number | boolean {
  return dialect === 'sqlite' ? Number(flag) : flag;
}

function toExternalId(row: Row): ExternalId {
  const checksums: unknown = JSON.parse(String(row.checksums));
  return {
    id: Number(row.id),
    addon: String(row.addon),
    name: String(row.name),
    source: String(row.source),
    model: String(row.model),
    recordId: row.record_id === null ? null : Number(row.record_id),
    noupdate: row.noupdate === true || row.noupdate === 1,
    checksums: (checksums ?? {}) as Checksums,
  };
}
