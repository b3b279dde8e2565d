import { type Database, rowsOf } from '@pergola/db';
import type { BlobStore } from './blob-store.ts';

/** Grace period for files without a record: they may belong to a transaction that hasn't committed yet. */
export const GRACE_MS = 24 * 3_600_000;

/** Removes files that no row references and returns how many. Searches all JSON columns, including the columns of disabled addons. */
export async function sweepFiles(database: Database, blobs: BlobStore, now: Date): Promise<number> {
  const usedHashes = await namedHashes(database);
  for await (const { name } of blobs.list('derived')) {
    const [original = ''] = (name.split('/').at(-1) ?? '').split('-');
    if (!usedHashes.has(original)) await blobs.remove(name);
    else for (const hash of hashesIn(Buffer.from((await blobs.get(name)) ?? []).toString('utf8'))) usedHashes.add(hash);
  }
  let removed = 0;
  for await (const { name, at: storedAt } of blobs.list('files')) {
    const hash = name.split('/').at(-1) ?? '';
    if (usedHashes.has(hash) || now.getTime() - storedAt.getTime() < GRACE_MS) continue;
    await blobs.remove(name);
    removed++;
  }
  return removed;
}

async function namedHashes(database: Database): Promise<Set<string>> {
  const hashes = new Set<string>();
  for (const table of await database.schema.introspect()) {
    for (const column of table.columns.filter(({ kind }) => kind === 'json')) {
      const values = database.knex(table.name).distinct(`${column.name} as value`).whereNotNull(column.name);
      for (const { value } of await rowsOf(database.reader, values)) {
        const text = typeof value === 'string' ? value : JSON.stringify(value);
        for (const hash of hashesIn(text)) hashes.add(hash);
      }
    }
  }
  return hashes;
}

function hashesIn(json: string): string[] {
  return [...json.matchAll(/"hash":\s?"([0-9a-f]{64})"/g)].map(([, hash = '']) => hash);
}
