import { unusable } from './errors.ts';
import type { Database, OpenOptions } from './types.ts';

/**
 * Opens the database that `url` names (`sqlite:<path of the file>` or `postgres://…`), with its pools, its change signals and the
 * core's own bookkeeping table. Throws `Unavailable` when it cannot be reached or is not safe to use.
 */
export async function openDatabase(options: OpenOptions): Promise<Database> {
  const [, scheme, rest = ''] = /^(sqlite|postgres|postgresql):(.*)$/s.exec(options.url) ?? [];
  if (!scheme) throw unusable('its address must be sqlite:<path of the file> or postgres://…');
  // Only the driver that is used is loaded.
  if (scheme === 'sqlite') {
    const { openSqlite } = await import('./sqlite/database.ts');
    return openSqlite(rest.replace(/^\/\/(?=\/)/, ''), options);
  }
  const { openPostgres } = await import('./postgres/database.ts');
  return openPostgres(options);
}
