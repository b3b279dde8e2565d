import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sqlite3 from 'sqlite3';

/** A copy of a database file, readable only by the current user; `remove` deletes it. */
export interface DatabaseCopy {
  readonly url: string;
  remove(): Promise<void>;
}

/**
 * Takes a snapshot of a SQLite database while servers keep writing to it.
 *
 * @param url `sqlite:<path of the file>`
 */
export async function copyDatabase(url: string): Promise<DatabaseCopy> {
  const folder = await mkdtemp(path.join(tmpdir(), 'pergola-console-'));
  const file = path.join(folder, 'copy.sqlite');
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    await vacuumInto(url.replace(/^sqlite:/, ''), file);
  } catch (error) {
    await remove();
    throw error;
  }
  return { url: `sqlite:${file}`, remove };
}

async function vacuumInto(from: string, to: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const settle = (error: Error | null): void => (error ? reject(error) : resolve());
  const database = new sqlite3.Database(from, sqlite3.OPEN_READONLY, (error) => {
    if (error) reject(error);
    else database.run('vacuum into ?', [to], settle);
  });
  try {
    await promise;
  } finally {
    database.close();
  }
}
