import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sqlite3 from 'sqlite3';
import type { DatabaseCopy } from '../types.ts';

/** Takes a snapshot of a file while servers keep writing to it. */
export async function copySqlite(file: string): Promise<DatabaseCopy> {
  const folder = await mkdtemp(path.join(tmpdir(), 'pergola-copy-'));
  const target = path.join(folder, 'copy.sqlite');
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    await vacuumInto(file, target);
  } catch (error) {
    await remove();
    throw error;
  }
  return { url: `sqlite:${target}`, remove };
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
