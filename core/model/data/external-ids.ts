import type { Connection, Transaction } from '../../db/types.ts';
import type { Id } from '../fields.ts';
import { Bindings, insertRows } from '../write/sql.ts';

/** A row of `core_external_id`. */
export interface ExternalId {
  readonly id: Id;
  readonly addon: string;
  readonly name: string;
  readonly model: string;
  readonly recordId: Id;
  readonly noupdate: boolean;
  /** By field. */
  readonly checksums: Readonly<Record<string, string>>;
}

const table = 'core_external_id';

/** `base.eur` taken apart; null when it is no external id. */
export function parseExternalId(text: string): { addon: string; name: string } | null {
  const match = /^([a-z][a-z0-9_]*)\.([a-z0-9_.-]{1,120})$/i.exec(text);
  return match?.[1] && match[2] ? { addon: match[1], name: match[2] } : null;
}

/** The external ids of one addon, by name. */
export async function externalIdsOf(connection: Connection, addon: string): Promise<Map<string, ExternalId>> {
  const bindings = new Bindings(connection.dialect);
  const sql = `select * from "${table}" where "addon" = ${bindings.add(addon)} order by "id"`;
  const { rows } = await connection.query({ sql, bindings: bindings.values });
  return new Map(rows.map(toExternalId).map((external) => [external.name, external]));
}

/** One external id, or null. */
export async function findExternalId(connection: Connection, addon: string, name: string): Promise<ExternalId | null> {
  const bindings = new Bindings(connection.dialect);
  const sql = `select * from "${table}" where "addon" = ${bindings.add(addon)} and "name" = ${bindings.add(name)}`;
  const { rows } = await connection.query({ sql, bindings: bindings.values });
  return rows[0] ? toExternalId(rows[0]) : null;
}

/** Keeps new external ids. */
export async function insertExternalIds(
  transaction: Transaction,
  externals: readonly Omit<ExternalId, 'id'>[],
): Promise<void> {
  if (externals.length === 0) return;
  const boolean = (value: boolean) => (transaction.dialect === 'sqlite' ? Number(value) : value);
  await insertRows(
    transaction,
    table,
    ['addon', 'name', 'model', 'record_id', 'noupdate', 'checksums'],
    externals.map(({ addon, name, model, recordId, noupdate, checksums }) => [
      addon,
      name,
      model,
      recordId,
      boolean(noupdate),
      JSON.stringify(checksums),
    ]),
  );
  transaction.touch(table);
}

/** Keeps what was shipped this time. */
export async function updateExternalId(
  transaction: Transaction,
  id: Id,
  { checksums, noupdate }: Pick<ExternalId, 'checksums' | 'noupdate'>,
): Promise<void> {
  const bindings = new Bindings(transaction.dialect);
  const isKept = transaction.dialect === 'sqlite' ? Number(noupdate) : noupdate;
  const sql = `update "${table}" set "checksums" = ${bindings.add(JSON.stringify(checksums))}, "noupdate" = ${bindings.add(isKept)} where "id" = ${bindings.add(id)}`;
  await transaction.query({ sql, bindings: bindings.values });
  transaction.touch(table);
}

/** Takes away the external ids of records that go. */
export async function forgetExternalIds(transaction: Transaction, model: string, ids: readonly Id[]): Promise<void> {
  const bindings = new Bindings(transaction.dialect);
  const sql = `delete from "${table}" where "model" = ${bindings.add(model)} and "record_id" ${bindings.anyId(ids)}`;
  const { changes } = await transaction.query({ sql, bindings: bindings.values });
  if (changes > 0) transaction.touch(table);
}

function toExternalId(row: Readonly<Record<string, unknown>>): ExternalId {
  const checksums: unknown = typeof row.checksums === 'string' ? JSON.parse(row.checksums) : row.checksums;
  return {
    id: Number(row.id),
    addon: String(row.addon),
    name: String(row.name),
    model: String(row.model),
    recordId: Number(row.record_id),
    noupdate: row.noupdate === true || row.noupdate === 1,
    checksums: (checksums ?? {}) as Readonly<Record<string, string>>,
  };
}
