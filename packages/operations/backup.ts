import { createHash } from 'node:crypto';
import { type BackupHeader, broken, type Database, dumpLines, readHeader, restoreTables } from '@pergola/db';
import type { BlobStore } from '@pergola/files';
import { signText } from '@pergola/http';
import { z } from 'zod';

/*
 * A backup is text with one JSON value per line: the tables as written by `packages/db/backup`, in one snapshot, then the files, then a
 * checksum of everything. Files are written after the snapshot and never change, so every file referenced by a row is included; later files
 * are harmless extras.
 */

const fileLine = z.object({ file: z.string().regex(/^(files|derived)\/[0-9a-f]{2}\/[0-9a-zx.-]+$/), data: z.base64() });
const lastLine = z.object({ files: z.number(), sha256: z.string() });
/** Name of a file by its content; files in `derived` are named after their original image. */
const hashedFile = /^files\/([0-9a-f]{2})\/(\1[0-9a-f]{62})$/;

/** Contents of a backup, counted while it is written. */
export interface BackupExtent {
  tables: number;
  rows: number;
  files: number;
}

/** Sources of a backup: `secret` is the site's `SESSION_SECRET`. */
export interface BackupSource {
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly secret: string;
}

/** Lines of a backup, including line breaks. Updates `extent` while writing. */
export async function* writeBackup(source: BackupSource, extent: BackupExtent): AsyncGenerator<string> {
  const hash = createHash('sha256');
  for await (const line of contentOf(source, extent)) {
    hash.update(line);
    yield line;
  }
  yield `${JSON.stringify({ files: extent.files, sha256: hash.digest('hex') })}\n`;
}

async function* contentOf({ database, blobs, secret }: BackupSource, extent: BackupExtent): AsyncGenerator<string> {
  const onEnd = (count: Pick<BackupExtent, 'tables' | 'rows'>): void => void Object.assign(extent, count);
  for await (const text of dumpLines(database, { key: keyOf(secret), onEnd })) yield `${text}\n`;
  for (const folder of ['files', 'derived']) {
    for await (const { name } of blobs.list(folder)) {
      const content = await blobs.get(name);
      if (!content || name.endsWith('.part')) continue;
      extent.files += 1;
      yield `${JSON.stringify({ file: name, data: Buffer.from(content).toString('base64') })}\n`;
    }
  }
}

/** Identifies a `SESSION_SECRET` without revealing it. */
function keyOf(secret: string): string {
  return signText(secret, 'core.backup', 'key');
}

/** A restored backup. */
export interface RestoredBackup extends BackupExtent {
  /** Whether it was made with a different `SESSION_SECRET`, so that encrypted passwords and keys can't be read. */
  readonly hasOtherKey: boolean;
}

/**
 * Restores a backup into an empty database (of either kind) and the filestore. Reads it twice: everything is checked before anything is
 * stored. Restores all tables or none; existing files stay.
 *
 * @param lines opens the lines of the backup from the start
 * @throws InvalidInput if it isn't a backup, is damaged or incomplete, or the database isn't empty.
 */
export async function readBackup(
  { database, blobs, secret }: BackupSource,
  lines: () => AsyncIterable<string>,
): Promise<RestoredBackup> {
  const { key } = await checkBackup(lines());
  const all = lines()[Symbol.asyncIterator]();
  const { tables, rows } = await restoreTables(database, untilDone(all));
  let files = 0;
  for (let next = await all.next(); !next.done; next = await all.next()) {
    const parsed = fileLine.safeParse(parseJson(next.value));
    if (!parsed.success) continue; // The checksum line: all other invalid lines were rejected before.
    const { file, data } = parsed.data;
    if (!(await blobs.has(file))) await blobs.put(file, Buffer.from(data, 'base64'));
    files += 1;
  }
  return { tables, rows, files, hasOtherKey: key !== undefined && key !== keyOf(secret) };
}

/** Checks every line, the content of every file, and completeness. Returns the first line. */
async function checkBackup(lines: AsyncIterable<string>): Promise<BackupHeader> {
  const hash = createHash('sha256');
  let header: BackupHeader | null = null;
  let isDone = false;
  let last: z.infer<typeof lastLine> | null = null;
  const position = { line: 0, files: 0 };
  for await (const text of lines) {
    position.line += 1;
    if (last) throw broken(position, 'there is more after its end');
    const value = parseJson(text);
    if (value === null) throw broken(position, 'it is no line of JSON');
    if (!header) header = readHeader(value);
    else if (isDone) {
      const end = lastLine.safeParse(value);
      if (end.success) last = end.data;
      else {
        checkFile(value, position);
        position.files += 1;
      }
    } else isDone = text.startsWith('{"done":');
    if (!last) hash.update(`${text}\n`);
  }
  if (!header || !isDone || (header.key !== undefined && !last)) throw broken(position, 'it was cut off');
  if (last && last.files !== position.files)
    throw broken(position, `it should hold ${last.files} files and holds ${position.files}`);
  if (last && last.sha256 !== hash.digest('hex')) throw broken(position, 'its content was changed or damaged');
  return header;
}

function checkFile(value: unknown, reader: { readonly line: number }): void {
  const parsed = fileLine.safeParse(value);
  if (!parsed.success) throw broken(reader, 'it is no file');
  const { file, data } = parsed.data;
  if (file.startsWith('derived/')) return;
  const hash = createHash('sha256').update(Buffer.from(data, 'base64')).digest('hex');
  if (hashedFile.exec(file)?.[2] !== hash) throw broken(reader, `the content of ${file} was changed or damaged`);
}

async function* untilDone(all: AsyncIterator<string>): AsyncGenerator<string> {
  for (let next = await all.next(); !next.done; next = await all.next()) {
    yield next.value;
    if (next.value.startsWith('{"done":')) return;
  }
}

/** Parses JSON, or returns null for invalid JSON, as in a damaged file. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
