import type { Connection, SchemaStep, TableSpec } from '../types.ts';

/** What differs between the databases when a schema is read or changed. */
export interface SchemaDialect {
  introspect(connection: Connection): Promise<TableSpec[]>;
  describe(connection: Connection): Promise<string[]>;
  apply(connection: Connection, steps: readonly SchemaStep[]): Promise<void>;
}

export async function runAll(connection: Connection, statements: readonly string[]): Promise<void> {
  for (const sql of statements) await connection.query({ sql, bindings: [] });
}

export async function selectRows(connection: Connection, sql: string, bindings: readonly unknown[] = []) {
  return (await connection.query({ sql, bindings })).rows;
}
