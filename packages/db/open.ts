import { unusable } from './errors.ts';
import type { Database, OpenOptions } from './types.ts';

/**
 * Opens the database at `url` (`sqlite:<path of the file>` or `postgres://…`), with its pools, change notifications and the core's
 * bookkeeping table. Throws `Unavailable` if it can't be reached or isn't safe to use.
 */
export async function openDatabase(options: OpenOptions): Promise<Database> {
  const [, scheme, location = ''] = /^(sqlite|postgres|postgresql):(.*)$/s.exec(options.url) ?? [];
  if (!scheme) throw unusable('its address must be sqlite:<path of the file> or postgres://…');
  // Loads only the required driver.
  if (scheme === 'sqlite') {
    const { openSqlite } = await import('./sqlite/database.ts');
    return openSqlite(location.replace(/^\/\/(?=\/)/, ''), options);
  }
  const { openPostgres } = await import('./postgres/database.ts');
  return openPostgres(options);
}
