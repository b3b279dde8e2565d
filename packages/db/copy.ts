import { sqliteFile } from './open.ts';
import type { DatabaseCopy, OpenOptions } from './types.ts';

/** Copies the database at `url` while others use it. */
export async function copyDatabase({ url, log }: Pick<OpenOptions, 'url' | 'log'>): Promise<DatabaseCopy> {
  const file = sqliteFile(url);
  if (file !== null) {
    const { copySqlite } = await import('./sqlite/copy.ts');
    return copySqlite(file);
  }
  const { copyPostgres } = await import('./postgres/copy.ts');
  return copyPostgres(url, log);
}
