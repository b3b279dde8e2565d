import { unusable } from './errors.ts';
import type { Database, OpenOptions } from './types.ts';

/**
 * Opens the database at `url` (`sqlite:<path of the file>` or `postgres://…`), with its pools, change notifications and the core's
 * bookkeeping table. Throws `Unavailable` if it can't be reached or isn't safe to use.
 */
export async function openDatabase(options: OpenOptions): Promise<Database> {
  const file = sqliteFile(options.url);
  // Only the driver that is used is loaded.
  if (file !== null) {
    const { openSqlite } = await import('./sqlite/database.ts');
    return openSqlite(file, options);
  }
  const { openPostgres } = await import('./postgres/database.ts');
  return openPostgres(options);
}

/**
 * Whether the database exists and this table has a row. Creates nothing, unlike {@link openDatabase}.
 *
 * @throws Unavailable if the database can't be reached or the file isn't one
 */
export async function hasRows(url: string, table: string): Promise<boolean> {
  const file = sqliteFile(url);
  if (file !== null) {
    const { sqliteHasRows } = await import('./sqlite/has-rows.ts');
    return sqliteHasRows(file, table);
  }
  const { postgresHasRows } = await import('./postgres/database.ts');
  return postgresHasRows(url, table);
}

/** Path of the SQLite file that an address names; null if it names a PostgreSQL database. */
export function sqliteFile(url: string): string | null {
  const [, scheme, location = ''] = /^(sqlite|postgres|postgresql):(.*)$/s.exec(url) ?? [];
  if (!scheme) throw unusable('its address must be sqlite:<path of the file> or postgres://…');
  return scheme === 'sqlite' ? location.replace(/^\/\/(?=\/)/, '') : null;
}
