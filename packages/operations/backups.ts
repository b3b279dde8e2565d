import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { StringDecoder } from 'node:string_decoder';
import { createGunzip, createGzip } from 'node:zlib';
import type { Ctx } from '@pergola/core';
import { InvalidInput, NotFound, ownFile, ownFolder } from '@pergola/core';
import { databaseSession, diskFull, isDiskFull, openDatabase, rowsOf } from '@pergola/db';
import { blobs, openBlobStore } from '@pergola/files';
import { z } from 'zod';
import { type BackupExtent, type BackupSource, parseJson, readBackup, writeBackup } from './backup.ts';

/*
 * Automatic backups in `DATA_DIR/backups`: `<timestamp>.backup`, as written by `pergola backup`, next to a `.json` file with its contents
 * and the result of its last trial restore.
 */

const FOLDER = 'backups';
const drill = z.object({
  at: z.string(),
  ok: z.boolean(),
  ms: z.number(),
  rows: z.number(),
  files: z.number(),
  /** Error of the restore, or empty if everything matched. */
  problem: z.string(),
});
/** Result of a trial restore. */
export type BackupDrill = z.infer<typeof drill>;
const manifestSchema = z.object({
  name: z.string(),
  at: z.string(),
  /** In bytes. */
  size: z.number(),
  sha256: z.string(),
  tables: z.number(),
  rows: z.number(),
  files: z.number(),
  drill: drill.nullable(),
});
/** A complete backup. */
export type BackupInfo = z.infer<typeof manifestSchema>;
const progress = z.object({ startedAt: z.string(), rows: z.number(), files: z.number(), bytes: z.number() });
/** Progress of a running backup. */
export type BackupProgress = z.infer<typeof progress>;

const namePattern = /^\d{8}-\d{6}-[0-9a-f]{6}\.backup$/;
/** A backup process without updates for this long has died. */
const SILENT = 60_000;

function folderOf(ctx: Ctx): string {
  return path.join(ctx.config.dataDir, FOLDER);
}

/**
 * Writes database and files into one file, which gets its final name only when complete. Returns the number of rows, files and bytes.
 *
 * @param onProgress called periodically with the progress
 */
export async function writeBackupFile(
  source: BackupSource,
  file: string,
  onProgress: (extent: BackupExtent, bytes: number) => void = () => {},
): Promise<BackupExtent & { readonly size: number; readonly sha256: string }> {
  const extent: BackupExtent = { tables: 0, rows: 0, files: 0 };
  const hash = createHash('sha256');
  let size = 0;
  const measured = new Transform({
    transform(piece: Buffer, _, done) {
      hash.update(piece);
      size += piece.length;
      onProgress(extent, size);
      done(null, piece);
    },
  });
  const draft = `${file}.part`;
  try {
    const lines = Readable.from(writeBackup(source, extent));
    await pipeline(lines, createGzip(), measured, createWriteStream(draft, { flags: 'w', mode: ownFile }));
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw isDiskFull(error) ? diskFull(error) : error;
  }
  return { ...extent, size, sha256: hash.digest('hex') };
}

/**
 * Lines of a backup file, without line breaks.
 *
 * @throws InvalidInput if the file is incomplete, damaged, or not compressed like a backup
 */
export async function* backupLines(file: string): AsyncGenerator<string> {
  const source = createReadStream(file);
  const unpacked = source.pipe(createGunzip());
  source.on('error', (error) => unpacked.destroy(error));
  const decoder = new StringDecoder('utf8');
  let parts: string[] = [];
  try {
    for await (const piece of unpacked) {
      const [first = '', ...others] = decoder.write(piece).split('\n');
      parts.push(first);
      for (const part of others) {
        yield parts.join('');
        parts = [part];
      }
    }
  } catch (error) {
    throw unpackingError(error);
  } finally {
    source.destroy();
  }
  const lastLine = parts.join('') + decoder.end();
  if (lastLine !== '') yield lastLine;
}

function unpackingError(error: unknown): unknown {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  if (typeof code !== 'string' || !code.startsWith('Z_')) return error;
  const text =
    code === 'Z_BUF_ERROR'
      ? 'This backup can’t be used because the file is incomplete. Copy it again. Nothing was changed.'
      : 'This backup can’t be used because the file is damaged or isn’t a Pergola backup. Nothing was changed.';
  return new InvalidInput(text, { code: 'core.bad_backup', cause: error });
}

/** Makes a backup and deletes the oldest ones beyond `keep`. Takes long for large sites, so call it from jobs. */
export async function makeBackup(ctx: Ctx, keep: number): Promise<BackupInfo> {
  const folder = folderOf(ctx);
  await mkdir(folder, { recursive: true, mode: ownFolder });
  const started = ctx.now();
  const stamp = started.toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
  const name = `${stamp}-${randomBytes(3).toString('hex')}.backup`;
  const running = path.join(folder, `${name}.running`);
  let reportedAt = 0;
  const reportProgress = (extent: BackupExtent, bytes: number): void => {
    if (Date.now() - reportedAt < 500) return;
    reportedAt = Date.now();
    const { rows, files } = extent;
    const now: BackupProgress = { startedAt: started.toISOString(), rows, files, bytes };
    // Only shows progress, so a failed write doesn't matter.
    writeFile(running, JSON.stringify(now), { mode: ownFile }).catch(() => {});
  };
  try {
    reportProgress({ tables: 0, rows: 0, files: 0 }, 0);
    const { config } = ctx;
    const source = {
      database: ctx.get(databaseSession).database,
      blobs: ctx.get(blobs),
      secret: config.sessionSecret,
    };
    const extent = await writeBackupFile(source, path.join(folder, name), reportProgress);
    const info: BackupInfo = { name, at: started.toISOString(), ...extent, drill: null };
    await keepInfo(folder, info);
    for (const old of (await listBackups(ctx)).slice(keep)) await removeBackup(ctx, old.name);
    ctx.log.info({ backup: name, rows: extent.rows, files: extent.files, bytes: extent.size }, 'A backup was made');
    return info;
  } finally {
    await rm(running, { force: true });
  }
}

async function keepInfo(folder: string, info: BackupInfo): Promise<void> {
  const file = path.join(folder, `${info.name}.json`);
  await writeFile(`${file}.part`, JSON.stringify(info), { mode: ownFile });
  await rename(`${file}.part`, file);
}

/** Existing backups, newest first. */
export async function listBackups(ctx: Ctx): Promise<readonly BackupInfo[]> {
  const folder = folderOf(ctx);
  const names = (await readdir(folder).catch(() => [])).filter((name) => namePattern.test(name));
  const backups = await Promise.all(
    names.map(async (name) => {
      const text = await readFile(path.join(folder, `${name}.json`), 'utf8').catch(() => '');
      const parsed = manifestSchema.safeParse(parseJson(text));
      return parsed.success ? [parsed.data] : [];
    }),
  );
  return backups.flat().toSorted((a, b) => b.at.localeCompare(a.at));
}

/** Progress of the running backup, or null. */
export async function runningBackup(ctx: Ctx): Promise<BackupProgress | null> {
  const folder = folderOf(ctx);
  for (const name of await readdir(folder).catch(() => [])) {
    const file = path.join(folder, name);
    if (!name.endsWith('.running')) continue;
    const changed = await stat(file).catch(() => null);
    if (changed === null || Date.now() - changed.mtimeMs > SILENT) continue;
    const parsed = progress.safeParse(parseJson(await readFile(file, 'utf8').catch(() => '')));
    if (parsed.success) return parsed.data;
  }
  return null;
}

/** Details of one backup. */
export async function backupNamed(ctx: Ctx, name: string): Promise<BackupInfo> {
  const backup = (await listBackups(ctx)).find((candidate) => candidate.name === name);
  if (!backup) throw new NotFound('This backup doesn’t exist.', { code: 'core.no_such_backup' });
  return backup;
}

/** Streams a backup at the reader's speed. The caller checks access: the backup contains the whole site. */
export async function readBackupFile(ctx: Ctx, name: string): Promise<Readable> {
  const { name: fileName } = await backupNamed(ctx, name);
  return createReadStream(path.join(folderOf(ctx), fileName));
}

/** Deletes a backup. */
export async function removeBackup(ctx: Ctx, name: string): Promise<void> {
  const { name: fileName } = await backupNamed(ctx, name);
  for (const file of [fileName, `${fileName}.json`]) await rm(path.join(folderOf(ctx), file), { force: true });
}

/**
 * Restores a backup into a temporary database and folder, reopens them, compares the counts, and deletes them. The temporary database is
 * SQLite, whatever the site uses: backups fit both, and SQLite needs no permissions or setup.
 */
export async function drillBackup(ctx: Ctx, name: string): Promise<BackupDrill> {
  const info = await backupNamed(ctx, name);
  const folder = folderOf(ctx);
  const scratch = path.join(folder, `drill-${randomBytes(6).toString('hex')}`);
  const started = performance.now();
  const report = { at: ctx.now().toISOString(), ok: false, ms: 0, rows: 0, files: 0, problem: '' };
  try {
    await mkdir(scratch, { recursive: true, mode: ownFolder });
    await requireWhole(path.join(folder, name), info.sha256);
    const restored = await restoreInto(ctx, scratch, path.join(folder, name));
    Object.assign(report, { rows: restored.rows, files: restored.files });
    const differ = (['tables', 'rows', 'files'] as const).filter((kind) => restored[kind] !== info[kind]);
    report.problem = differ.map((kind) => `${kind}: ${restored[kind]} instead of ${info[kind]}`).join(', ');
    report.ok = differ.length === 0;
  } catch (error) {
    report.problem = error instanceof Error ? error.message : String(error);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  const outcome: BackupDrill = { ...report, ms: Math.round(performance.now() - started) };
  await keepInfo(folder, { ...info, drill: outcome });
  const { log } = ctx;
  if (outcome.ok) log.info({ backup: name, ...outcome }, 'A backup was restored for trial');
  else log.error({ backup: name, ...outcome }, 'A backup could not be restored');
  return outcome;
}

async function requireWhole(file: string, sha256: string): Promise<void> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(file)) hash.update(piece);
  if (hash.digest('hex') !== sha256)
    throw new InvalidInput('The file is damaged or was changed: its checksum doesn’t match.', {
      code: 'core.bad_backup',
    });
}

/** Counts rows and files after reopening the temporary database and folder, not those read from the backup. */
async function restoreInto(ctx: Ctx, scratch: string, file: string): Promise<BackupExtent> {
  const open = () => openDatabase({ url: `sqlite:${path.join(scratch, 'scratch.sqlite')}`, log: ctx.log });
  const restored = openBlobStore({ ...ctx.config, dataDir: scratch, s3: null });
  const first = await open();
  try {
    await readBackup({ database: first, blobs: restored, secret: ctx.config.sessionSecret }, () => backupLines(file));
  } finally {
    await first.close();
  }
  const database = await open();
  try {
    const extent: BackupExtent = { tables: 0, rows: 0, files: 0 };
    for (const { name } of await database.schema.introspect(database.reader)) {
      const [row] = await rowsOf(database.reader, database.knex(name).count('* as n'));
      extent.tables += 1;
      extent.rows += Number(row?.n);
    }
    for (const subfolder of ['files', 'derived']) for await (const _ of restored.list(subfolder)) extent.files += 1;
    return extent;
  } finally {
    await database.close();
  }
}
