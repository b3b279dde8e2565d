import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { z } from 'zod';
import { InvalidInput } from '../base/index.ts';
import { type Database, dumpTables, restoreTables } from '../db/index.ts';
import type { BlobStore } from '../files/index.ts';

/*
 * A backup is text, a JSON value a line: the tables as `core/db/backup` writes them, in one snapshot, then the files. Files are written after
 * the snapshot and never changed, so whatever a row names is there; what came later is only more than needed.
 */

const fileLine = z.object({ file: z.string().regex(/^(files|derived)\/[0-9a-f]{2}\/[0-9a-zx.-]+$/), data: z.base64() });

/** How much a backup holds; counted up while it is written. */
export interface BackupExtent {
  tables: number;
  rows: number;
  files: number;
}

/** The lines of a backup, each with its line end. */
export async function* writeBackup(database: Database, blobs: BlobStore, extent: BackupExtent): AsyncGenerator<string> {
  yield* dumped(database, extent);
  for (const folder of ['files', 'derived']) {
    for await (const { name } of blobs.list(folder)) {
      const content = await blobs.get(name);
      if (!content || name.endsWith('.part')) continue;
      extent.files += 1;
      yield `${JSON.stringify({ file: name, data: Buffer.from(content).toString('base64') })}\n`;
    }
  }
}

/** The dump as lines that are written as fast as somebody takes them. */
async function* dumped(database: Database, extent: BackupExtent): AsyncGenerator<string> {
  const lines = new PassThrough({ objectMode: true });
  // A reader that stops, because its disk is full for example, closes the stream: nothing drains after that.
  const stopped = new AbortController();
  const { signal } = stopped;
  lines.once('close', () => stopped.abort());
  dumpTables(database, null, async (text) => {
    signal.throwIfAborted();
    if (!lines.write(`${text}\n`)) await once(lines, 'drain', { signal });
  }).then(
    (dump) => {
      Object.assign(extent, dump);
      lines.end();
    },
    (error: Error) => lines.destroy(error),
  );
  yield* lines;
}

/**
 * Puts a backup into an empty database (of either kind) and the filestore. All tables or none; files that are there already stay.
 *
 * @throws InvalidInput when it is no backup, was cut off, or the database is not empty.
 */
export async function readBackup(
  database: Database,
  blobs: BlobStore,
  lines: AsyncIterable<string>,
): Promise<BackupExtent> {
  const all = lines[Symbol.asyncIterator]();
  const { tables, rows } = await restoreTables(database, untilDone(all));
  let files = 0;
  for (let next = await all.next(); !next.done; next = await all.next()) {
    if (next.value === '') continue;
    const parsed = fileLine.safeParse(parseJson(next.value));
    if (!parsed.success) throw new InvalidInput('A file in the backup is damaged.', { code: 'core.bad_backup' });
    const { file, data } = parsed.data;
    if (!(await blobs.has(file))) await blobs.put(file, Buffer.from(data, 'base64'));
    files += 1;
  }
  return { tables, rows, files };
}

async function* untilDone(all: AsyncIterator<string>): AsyncGenerator<string> {
  for (let next = await all.next(); !next.done; next = await all.next()) {
    yield next.value;
    if (next.value.startsWith('{"done":')) return;
  }
}

/** What a text says as JSON; null where it is none, a damaged file's. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
