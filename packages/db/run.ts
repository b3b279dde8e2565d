import type { Buildable } from './plans.ts';
import type { Connection, Row } from './types.ts';

/** Runs a built query and returns its raw rows. */
export async function rowsOf(connection: Connection, query: Buildable): Promise<readonly Row[]> {
  return (await connection.query(query.toSQL().toNative())).rows;
}

/** Runs a built statement and returns the number of changed rows. */
export async function changesOf(connection: Connection, query: Buildable): Promise<number> {
  return (await connection.query(query.toSQL().toNative())).changes;
}
