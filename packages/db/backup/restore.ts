import { InvalidInput } from '@pergola/core';
import type { Knex } from 'knex';
import { rowsOf } from '../run.ts';
import { runAll, selectRows } from '../schema/dialect.ts';
import { quoted } from '../schema/names.ts';
import { createTable } from '../schema/plan.ts';
import type { ColumnKind, ColumnSpec, Database, TableSpec, Transaction } from '../types.ts';
import {
  type BackupCount,
  broken,
  type DumpedTable,
  LineReader,
  parsed,
  readHeader,
  rowSchema,
  sectionSchema,
} from './format.ts';

const rowsPerInsert = 200;
const bindingsPerInsert = 2_000;

/**
 * Restores a backup into a database in one transaction. Creates missing tables; existing ones must be empty and have the same columns.
 * Foreign keys are checked after all rows are inserted.
 *
 * @throws InvalidInput if the lines aren't a backup, are truncated, or don't fit the database.
 */
export async function restoreTables(
  database: Database,
  lines: AsyncIterable<string> | Iterable<string>,
): Promise<BackupCount> {
  const reader = new LineReader(lines);
  const header = readHeader(await reader.next());
  return database.write(
    async (transaction) => {
      // The lines can be read only once, so the transaction can't be retried.
      if (reader.line > 1)
        throw new InvalidInput('The database was changed during the restore. Stop all other processes first.');
      const created = await prepareTables(database, transaction, header.tables);
      await putOffForeignKeys(transaction);
      const rows = await restoreRows(database, transaction, header.tables, reader);
      if (transaction.dialect === 'postgres') await runAll(transaction, ['set constraints all immediate']);
      const withoutIndexes = created.map((table) => ({ ...table, indexes: [] }));
      await database.schema.apply(transaction, database.schema.plan(created, withoutIndexes).steps);
      for (const table of header.tables) {
        if (table.next !== null) await setNextId(transaction, table.name, table.next);
        transaction.touch(table.name);
      }
      return { tables: header.tables.length, rows };
    },
    { label: 'restore', timeoutMs: 0, retries: 0 },
  );
}

/** Never decreases: an id must never be used for a second row. */
async function setNextId(transaction: Transaction, table: string, next: number): Promise<void> {
  if (transaction.dialect === 'postgres') {
    const name = quoted(table);
    await selectRows(
      transaction,
      `select setval(pg_get_serial_sequence($1, 'id'), greatest($2::int8, (select coalesce(max("id"), 0) + 1 from ${name})), false)`,
      [name, next],
    );
    return;
  }
  const { changes } = await transaction.query({
    sql: 'update sqlite_sequence set seq = max(seq, ?) where name = ?',
    bindings: [next - 1, table],
  });
  if (changes === 0)
    await transaction.query({
      sql: 'insert into sqlite_sequence (name, seq) values (?, ?)',
      bindings: [table, next - 1],
    });
}

/** Creates missing tables and returns them; their indexes are created after the rows are inserted. */
async function prepareTables(
  database: Database,
  transaction: Transaction,
  tables: readonly DumpedTable[],
): Promise<TableSpec[]> {
  const current = await database.schema.introspect(transaction);
  const missing = tables.filter((table) => !current.some((existing) => existing.name === table.name));
  for (const table of tables.filter((table) => !missing.includes(table))) {
    const existing = current.find((candidate) => candidate.name === table.name);
    const lacking = table.columns.filter(
      (column) => !existing?.columns.some((old) => old.name === column.name && old.kind === column.kind),
    );
    const [row] = await selectRows(transaction, `select 1 as one from ${quoted(table.name)} limit 1`);
    if (row)
      throw new InvalidInput(`The table ${table.name} has rows already; restore into an empty database.`, {
        code: 'core.not_empty',
      });
    if (lacking.length > 0) {
      const names = lacking.map((column) => `${column.name} (${column.kind})`).join(', ');
      throw new InvalidInput(`The table ${table.name} lacks the columns ${names} of the backup.`, {
        code: 'core.columns_differ',
      });
    }
  }
  await database.schema.apply(transaction, missing.map(createTable));
  return missing;
}

function putOffForeignKeys(transaction: Transaction): Promise<void> {
  return runAll(transaction, [
    transaction.dialect === 'sqlite' ? 'pragma defer_foreign_keys = 1' : 'set constraints all deferred',
  ]);
}

async function restoreRows(
  database: Database,
  transaction: Transaction,
  tables: readonly DumpedTable[],
  reader: LineReader,
): Promise<number> {
  let total = 0;
  for (;;) {
    const begin = parsed(sectionSchema, await reader.next(), reader);
    if ('done' in begin) {
      if (begin.done !== total) throw broken(reader, `it should hold ${begin.done} rows and holds ${total}`);
      return total;
    }
    const spec = tables.find((table) => table.name === begin.table);
    if (!spec) throw broken(reader, `the table ${begin.table} is not in its list`);
    const columns = begin.columns.map((name) => columnOf(spec, name, reader));
    total += await restoreTable(database, transaction, spec.name, columns, reader);
  }
}

async function restoreTable(
  database: Database,
  transaction: Transaction,
  table: string,
  columns: readonly ColumnSpec[],
  reader: LineReader,
): Promise<number> {
  const perInsert = Math.max(1, Math.min(rowsPerInsert, Math.floor(bindingsPerInsert / columns.length)));
  const rows: unknown[][] = [];
  let count = 0;
  const flush = async () => {
    if (rows.length > 0) await insertRows(database, transaction, table, columns, rows.splice(0));
  };
  for (;;) {
    const item = parsed(rowSchema, await reader.next(), reader);
    if (!Array.isArray(item)) {
      await flush();
      if (item.end !== table || item.rows !== count)
        throw broken(reader, `${table} should hold ${item.rows} rows and holds ${count}`);
      return count;
    }
    if (item.length !== columns.length)
      throw broken(reader, `a row of ${table} has ${item.length} values instead of ${columns.length}`);
    rows.push(columns.map(({ kind }, position) => database.codec.encode(kind, fromJson(kind, item[position]))));
    count += 1;
    if (rows.length === perInsert) await flush();
  }
}

async function insertRows(
  { knex }: Database,
  transaction: Transaction,
  table: string,
  columns: readonly ColumnSpec[],
  rows: unknown[][],
): Promise<void> {
  const tuple = `(${columns.map(() => '?').join(', ')})`;
  const names = columns.map((column) => column.name);
  const values = rows.flat() as Knex.Value[];
  const insert = knex.raw(`insert into ?? (??) values ${rows.map(() => tuple).join(', ')}`, [table, names, ...values]);
  await rowsOf(transaction, insert);
}

function fromJson(kind: ColumnKind, value: unknown): unknown {
  return kind === 'datetime' && typeof value === 'string' ? new Date(value) : value;
}

function columnOf(spec: TableSpec, name: string, reader: LineReader): ColumnSpec {
  const column = spec.columns.find((candidate) => candidate.name === name);
  if (!column) throw broken(reader, `${spec.name} has no column ${name}`);
  return column;
}
