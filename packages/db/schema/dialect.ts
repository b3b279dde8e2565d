import type { Connection, Row, SchemaStep, TableSpec } from '../types.ts';

/** Dialect-specific operations for reading and changing a schema. */
export interface SchemaDialect {
  introspect(connection: Connection): Promise<TableSpec[]>;
  columns(connection: Connection): Promise<ReadonlyMap<string, ReadonlySet<string>>>;
  describe(connection: Connection): Promise<string[]>;
  apply(connection: Connection, steps: readonly SchemaStep[]): Promise<void>;
}

/** Columns by table, from rows with `tbl` and `name`. */
export function columnsByTable(rows: readonly Row[]): ReadonlyMap<string, ReadonlySet<string>> {
  const tables = Map.groupBy(rows, ({ tbl }) => String(tbl));
  return new Map([...tables].map(([table, columns]) => [table, new Set(columns.map(({ name }) => String(name)))]));
}

export async function runAll(connection: Connection, statements: readonly string[]): Promise<void> {
  for (const sql of statements) await connection.query({ sql, bindings: [] });
}

export async function selectRows(connection: Connection, sql: string, bindings: readonly unknown[] = []) {
  return (await connection.query({ sql, bindings })).rows;
}
