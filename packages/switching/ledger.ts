import { type Connection, type Database, rowsOf, type TableSpec, type Transaction } from '@pergola/db';

/**
 * What an addon brought into the database. With this an addon can be taken out again, even when its code is no longer on disk.
 *
 * - `table`: the table of a model; `link`: that of a many2many; `column`, `index`: on a table, its own or another addon's
 * - `model`: a model's name, for rows elsewhere that say which model they are about
 * - `pair`: the two columns of a table that say so
 * - `kept`: a column that no field uses any more, or a table (`name` is empty) that no model uses, and that a migration kept
 * - `choice`: a value added to another addon's selection, and what rows that hold it get
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

/** The whole ledger, or what these addons brought. */
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

/** Writes down what addons brought; what is there already keeps its owner. */
export async function enterLedger(
  database: Database,
  transaction: Transaction,
  things: readonly LedgerEntry[],
): Promise<void> {
  const rows = things.map((thing) => toRow(database, thing));
  for (let at = 0; at < rows.length; at += perInsert) {
    const insert = database.knex(TABLE).insert(rows.slice(at, at + perInsert));
    await rowsOf(transaction, insert.onConflict(['kind', 'table_name', 'name']).ignore());
  }
}

/** Forgets what migrations kept as far as models use it again, so that its next removal is asked about. */
export async function forgetKept(
  database: Database,
  transaction: Transaction,
  wanted: readonly TableSpec[],
): Promise<void> {
  const kept = await rowsOf(
    transaction,
    database.knex(TABLE).select('id', 'table_name', 'name').where({ kind: 'kept' }),
  );
  const used = new Set(
    wanted.flatMap(({ name, columns }) => [`${name}.`, ...columns.map((column) => `${name}.${column.name}`)]),
  );
  const ids = kept.filter((row) => used.has(`${row.table_name}.${row.name}`)).map(({ id }) => Number(id));
  if (ids.length > 0) await rowsOf(transaction, database.knex(TABLE).whereIn('id', ids).delete());
}

/** Strikes out everything of these addons. */
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

function toRow({ codec }: Database, thing: LedgerEntry): Record<string, unknown> {
  const { kind, addon, table } = thing;
  const row = (name: string, detail: object | null) => ({
    kind,
    addon,
    table_name: table,
    name,
    detail: detail === null ? null : codec.encode('json', detail),
  });
  switch (thing.kind) {
    case 'table':
    case 'link':
      return row('', null);
    case 'column':
    case 'index':
    case 'model':
    case 'kept':
      return row(thing.name, null);
    case 'pair':
      return row(`${thing.model},${thing.id}`, { model: thing.model, id: thing.id });
    case 'choice': {
      const { column, value, becomes } = thing;
      return row(`${column}=${value}`, { column, value, becomes });
    }
  }
}
