import sqlite3 from 'sqlite3';
import { unusable } from '../errors.ts';
import { quoted } from '../schema/names.ts';

/** How long another process may hold the file, in milliseconds. */
const BUSY_MS = 10_000;

/** Whether the file exists and this table of it has a row. Neither the file nor its settings change. */
export async function sqliteHasRows(file: string, table: string): Promise<boolean> {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  const native = new sqlite3.Database(file, sqlite3.OPEN_READONLY, (error) => {
    if (error) reject(error);
    else
      native.get(`select 1 from ${quoted(table)}`, (fault, row) =>
        fault ? reject(fault) : resolve(row !== undefined),
      );
  });
  native.configure('busyTimeout', BUSY_MS);
  try {
    return await promise;
  } catch (error) {
    if (Error.isError(error) && /SQLITE_CANTOPEN|no such table/.test(error.message)) return false;
    throw unusable(`the file ${file} cannot be read`, error);
  } finally {
    native.close();
  }
}
