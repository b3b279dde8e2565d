import type { Buildable } from './plans.ts';
import type { Connection, Row } from './types.ts';

/** Runs a built query and answers its rows, raw. */
export async function rowsOf(connection: Connection, query: Buildable): Promise<readonly Row[]> {
  return (await connection.query(query.toSQL().toNative())).rows;
}

/** Runs a built statement and answers how many rows it changed. */
export async function changesOf(connection: Connection, query: Buildable): Promise<number> {
  return (await connection.query(query.toSQL().toNative())).changes;
}
