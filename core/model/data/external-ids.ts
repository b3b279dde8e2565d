import type { Connection, Row, Transaction } from '../../db/types.ts';
import type { Id } from '../fields.ts';
import { Bindings, insertRows } from '../write/sql.ts';

/** Hashes of a shipped value, by `field` or `field:language`: as it was kept, and as it was shipped. */
export type Checksums = Readonly<Record<string, readonly [kept: string, shipped: string]>>;

/** A row of `core_external_id`. */
export interface ExternalId {
  readonly id: Id;
  readonly addon: string;
  readonly name: string;
  /** `forum/data` */
  readonly source: string;
  readonly model: string;
  /** Null: it was made only once, and is gone. */
  readonly recordId: Id | null;
  readonly noupdate: boolean;
  readonly checksums: Checksums;
}

const table = 'core_external_id';

/** `base.eur` taken apart; null when it is no external id. */
export function parseExternalId(text: string): { addon: string; name: string } | null {
  const match = /^([a-z][a-z0-9_]{0,62})\.([\w.-]{1,120})$/.exec(text);
  return match?.[1] && match[2] ? { addon: match[1], name: match[2] } : null;
}

/** The external ids that begin with one of these addons, by their whole text. */
export async function externalIdsOf(
  connection: Connection,
  addons: Iterable<string>,
): Promise<Map<string, ExternalId>> {
  const found = new Map<string, ExternalId>();
  for (const addon of new Set(addons)) {
    for (const external of await select(connection, (bindings) => `"addon" = ${bindings.add(addon)}`)) {
      found.set(`${external.addon}.${external.name}`, external);
    }
  }
  return found;
}

/** The external ids that some data of an addon brought, in the order they were made. */
export function externalIdsFrom(connection: Connection, source: string): Promise<ExternalId[]> {
  return select(connection, (bindings) => `"source" = ${bindings.add(source)}`);
}

/** One external id, or null. */
export async function findExternalId(connection: Connection, addon: string, name: string): Promise<ExternalId | null> {
  const [found] = await select(
    connection,
    (bindings) => `"addon" = ${bindings.add(addon)} and "name" = ${bindings.add(name)}`,
  );
  return found ?? null;
}

async function select(connection: Connection, where: (bindings: Bindings) => string): Promise<ExternalId[]> {
  const bindings = new Bindings(connection.dialect);
  const sql = `select * from "${table}" where ${where(bindings)} order by "id"`;
  return (await connection.query({ sql, bindings: bindings.values })).rows.map(toExternalId);
}

/** Keeps new external ids. */
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

/** Keeps what was shipped this time, and by whom. */
export async function updateExternalId(
  transaction: Transaction,
  id: Id,
  { checksums, noupdate, source }: Pick<ExternalId, 'checksums' | 'noupdate' | 'source'>,
): Promise<void> {
  const bindings = new Bindings(transaction.dialect);
  const sets = [
    `"checksums" = ${bindings.add(JSON.stringify(checksums))}`,
    `"noupdate" = ${bindings.add(encodeFlag(transaction, noupdate))}`,
    `"source" = ${bindings.add(source)}`,
  ];
  const sql = `update "${table}" set ${sets.join(', ')} where "id" = ${bindings.add(id)}`;
  await transaction.query({ sql, bindings: bindings.values });
  transaction.touch(table);
}

/** Takes external ids away and leaves their records. */
export async function deleteExternalIds(transaction: Transaction, ids: readonly Id[]): Promise<void> {
  if (ids.length === 0) return;
  const bindings = new Bindings(transaction.dialect);
  const sql = `delete from "${table}" where "id" ${bindings.anyId(ids)}`;
  await transaction.query({ sql, bindings: bindings.values });
  transaction.touch(table);
}

/** Forgets records that go. What is made only once is remembered without its record, so that no upgrade makes it again. */
export async function forgetExternalIds(transaction: Transaction, model: string, ids: readonly Id[]): Promise<void> {
  const ofRecords = (bindings: Bindings) => `"model" = ${bindings.add(model)} and "record_id" ${bindings.anyId(ids)}`;
  const removing = new Bindings(transaction.dialect);
  const keeping = new Bindings(transaction.dialect);
  const removed = await transaction.query({
    sql: `delete from "${table}" where not "noupdate" and ${ofRecords(removing)}`,
    bindings: removing.values,
  });
  const kept = await transaction.query({
    sql: `update "${table}" set "record_id" = null where ${ofRecords(keeping)}`,
    bindings: keeping.values,
  });
  if (removed.changes + kept.changes > 0) transaction.touch(table);
}

function encodeFlag({ dialect }: Connection, flag: boolean): number | boolean {
  return dialect === 'sqlite' ? Number(flag) : flag;
}

function toExternalId(row: Row): ExternalId {
  const checksums: unknown = typeof row.checksums === 'string' ? JSON.parse(row.checksums) : row.checksums;
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
