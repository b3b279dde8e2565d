import { unusable } from './errors.ts';
import { openPostgres } from './postgres/database.ts';
import { openSqlite } from './sqlite/database.ts';
import type { Database, OpenOptions } from './types.ts';

/**
 * Opens the database that `url` names (`sqlite:<path of the file>` or `postgres://…`), with its pools, its change signals and the
 * kernel's own bookkeeping table. Throws `Unavailable` when it cannot be reached or is not safe to use.
 */
export function openDatabase(options: OpenOptions): Promise<Database> {
  const [, scheme, rest = ''] = /^(sqlite|postgres|postgresql):(.*)$/s.exec(options.url) ?? [];
  if (scheme === 'sqlite') return openSqlite(rest.replace(/^\/\/(?=\/)/, ''), options);
  if (scheme) return openPostgres(options);
  return Promise.reject(unusable('its address must be sqlite:<path of the file> or postgres://…'));
}
