import { type Connection, type Database, rowsOf, type TableSpec, type Transaction } from '@pergola/db';

/**
 * A database object added by an addon. Recorded so that the addon can be uninstalled even if its code is no longer on disk.
 *
 * - `table`: the table of a model; `link`: that belonging to a many2many; `column`, `index`: on a table of this or another addon
 * - `model`: a model name, for rows of other tables that refer to the model
 * - `pair`: the two columns of a table that hold such references
 * - `kept`: a column without a field, or a table (`name` is empty) without a model, kept by a migration
 * - `choice`: a value added to another addon's selection, and the replacement for rows that hold it
 */
export type LedgerEntry =
  | { readonly kind: 'table' | 'link'; readonly addon: string; readonly table: string }
  | {
      readonly kind: 'column' | 'index' | 'kept';
      readonly addon: string;
      readonly table: string;
      readonly name: string;
    }
  | { readonly kind: 'model'; readonly addon: string; readonly table: string; readonly name: string }
  | {
      readonly kind: 'pair';
      readonly addon: string;
      readonly table: string;
      readonly model: string;
      readonly id: string;
    }
  | {
      readonly kind: 'choice';
      readonly addon: string;
      readonly table: string;
      readonly column: string;
      readonly value: string;
      readonly becomes: string | null;
    };

const TABLE = 'core_ownership';
const perInsert = 100;

/** Reads the whole ledger, or the entries of these addons. */
export async function readLedger(
  database: Database,
  addons: readonly string[] | null,
  connection: Connection = database.reader,
): Promise<LedgerEntry[]> {
  const query = database.knex(TABLE).select().orderBy('id');
  const rows = await rowsOf(connection, addons ? query.whereIn('addon', [...addons]) : query);
  return rows.map((row) => {
    const detail = (database.codec.decode('json', row.detail) ?? {}) as object;
    const { kind, addon, table_name: table, name } = row;
    const isNamed = kind === 'column' || kind === 'index' || kind === 'model' || kind === 'kept';
    return { kind, addon, table, ...(isNamed ? { name } : {}), ...detail } as LedgerEntry;
  });
}

/** Records objects added by addons; existing entries keep their owner. */
export async function enterLedger(
  database: Database,
  transaction: Transaction,
  entries: readonly LedgerEntry[],
): Promise<void> {
  const rows = entries.map((entry) => toRow(database, entry));
  for (let offset = 0; offset < rows.length; offset += perInsert) {
    const insert = database.knex(TABLE).insert(rows.slice(offset, offset + perInsert));
    await rowsOf(transaction, insert.onConflict(['kind', 'table_name', 'name']).ignore());
  }
}

/** Removes `kept` entries that models use again, so that their next removal needs a decision again. */
export async function forgetKept(
  database: Database,
  transaction: Transaction,
  targetTables: readonly TableSpec[],
): Promise<void> {
  const keptRows = await rowsOf(
    transaction,
    database.knex(TABLE).select('id', 'table_name', 'name').where({ kind: 'kept' }),
  );
  const used = new Set(
    targetTables.flatMap(({ name, columns }) => [`${name}.`, ...columns.map((column) => `${name}.${column.name}`)]),
  );
  const ids = keptRows.filter((row) => used.has(`${row.table_name}.${row.name}`)).map(({ id }) => Number(id));
  if (ids.length > 0) await rowsOf(transaction, database.knex(TABLE).whereIn('id', ids).delete());
}

/** Deletes all entries of these addons. */
export async function clearLedger(
  database: Database,
  transaction: Transaction,
  addons: readonly string[],
): Promise<void> {
  await rowsOf(
    transaction,
    database
      .knex(TABLE)
      .whereIn('addon', [...addons])
      .delete(),
  );
}

function toRow({ codec }: Database, entry: LedgerEntry): Record<string, unknown> {
  const { kind, addon, table } = entry;
  const row = (name: string, detail: object | null) => ({
    kind,
    addon,
    table_name: table,
    name,
    detail: detail === null ? null : codec.encode('json', detail),
  });
  switch (entry.kind) {
    case 'table':
    case 'link':
      return row('', null);
    case 'column':
    case 'index':
    case 'model':
    case 'kept':
      return row(entry.name, null);
    case 'pair':
      return row(`${entry.model},${entry.id}`, { model: entry.model, id: entry.id });
    case 'choice': {
      const { column, value, becomes } = entry;
      return row(`${column}=${value}`, { column, value, becomes });
    }
  }
}
