import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ownFile, ownFolder } from '@pergola/core';
import { type Connection, type Database, dumpTables, rowsOf, type TableSpec } from '@pergola/db';
import type { LedgerEntry } from './ledger.ts';

const rowsPerRead = 200;

/** Contents of the archive of removed addons. */
export interface ArchiveSource {
  readonly database: Database;
  /** Addons with their previous versions. */
  readonly addons: Readonly<Record<string, string | null>>;
  readonly ownedEntries: readonly LedgerEntry[];
  readonly current: readonly TableSpec[];
  /** DATA_DIR */
  readonly dataDir: string;
}

/**
 * Archives the data of addons before it is removed, in a new folder below `archives/`, and returns that folder:
 *
 * - `tables.jsonl`: their tables, in backup format
 * - `shared.jsonl`: a line per row of other tables with the values of their columns there, and a line per external id
 * - `about.json`: the addons and the time
 *
 * The folder gets its final name only when it is complete.
 */
export async function archiveAddons({
  database,
  addons,
  ownedEntries,
  current,
  dataDir,
}: ArchiveSource): Promise<string> {
  const timestamp = new Date().toISOString();
  const archives = join(dataDir, 'archives');
  await removeUnfinished(archives);
  const folder = join(archives, `${Object.keys(addons)[0]}-${timestamp.replaceAll(/[:.]/g, '-')}`);
  const unfinished = `${folder}.unfinished`;
  await mkdir(unfinished, { recursive: true, mode: ownFolder });
  try {
    const present = new Set(current.map(({ name }) => name));
    const tables = ownedEntries.flatMap(({ kind, table }) =>
      (kind === 'table' || kind === 'link') && present.has(table) ? [table] : [],
    );
    await toFile(join(unfinished, 'tables.jsonl'), (write) => dumpTables(database, tables, write));
    await toFile(join(unfinished, 'shared.jsonl'), (write) =>
      dumpShared(database, Object.keys(addons), ownedEntries, current, write),
    );
    await writeFile(join(unfinished, 'about.json'), `${JSON.stringify({ at: timestamp, addons, tables }, null, 2)}\n`, {
      mode: ownFile,
    });
    await rename(unfinished, folder);
    return folder;
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}

/** Leftovers of killed processes: only one switch runs at a time. */
async function removeUnfinished(archives: string): Promise<void> {
  await mkdir(archives, { recursive: true, mode: ownFolder });
  for (const name of (await readdir(archives)).filter((entry) => entry.endsWith('.unfinished'))) {
    await rm(join(archives, name), { recursive: true, force: true });
  }
}

type Write = (line: string) => Promise<void>;

async function toFile(path: string, dump: (write: Write) => Promise<unknown>): Promise<void> {
  const stream = createWriteStream(path, { mode: ownFile, flush: true });
  const failed = once(stream, 'error').then(([error]) => Promise.reject(error));
  failed.catch(() => {});
  await Promise.race([
    failed,
    dump(async (line) => {
      if (!stream.write(`${line}\n`)) await once(stream, 'drain');
    }),
  ]);
  stream.end();
  await Promise.race([failed, once(stream, 'close')]);
}

async function dumpShared(
  database: Database,
  addons: readonly string[],
  ownedEntries: readonly LedgerEntry[],
  current: readonly TableSpec[],
  write: Write,
): Promise<void> {
  const droppedTables = new Set(
    ownedEntries.filter(({ kind }) => kind === 'table' || kind === 'link').map(({ table }) => table),
  );
  await database.snapshot(async (connection) => {
    for (const table of current.filter(({ name }) => !droppedTables.has(name))) {
      const columns = columnsOf(table, ownedEntries);
      if (columns.length > 0) await dumpColumns(database, connection, table, columns, write);
    }
    const query = database
      .knex('core_external_id')
      .select('addon', 'name', 'model', 'record_id')
      .whereIn('addon', [...addons]);
    for (const row of await rowsOf(connection, query.orderBy('id'))) await write(JSON.stringify({ external: row }));
  });
}

/** Columns of a remaining table that will be dropped, or whose values will change. */
function columnsOf(table: TableSpec, ownedEntries: readonly LedgerEntry[]): string[] {
  const present = new Set(table.columns.map(({ name }) => name));
  const names = ownedEntries.flatMap((entry) => {
    if (entry.table !== table.name) return [];
    return entry.kind === 'column' ? [entry.name] : entry.kind === 'choice' ? [entry.column] : [];
  });
  return [...new Set(names)].filter((name) => present.has(name));
}

async function dumpColumns(
  { knex, codec }: Database,
  connection: Connection,
  { name: table, columns: specs }: TableSpec,
  columns: readonly string[],
  write: Write,
): Promise<void> {
  const kinds = new Map(specs.map(({ name, kind }) => [name, kind]));
  for (let last = 0; ; ) {
    const query = knex(table)
      .select('id', ...columns)
      .where('id', '>', last)
      .orderBy('id')
      .limit(rowsPerRead);
    const rows = await rowsOf(connection, query);
    for (const row of rows) {
      last = Number(row.id);
      const values = columns
        .filter((column) => row[column] !== null)
        .map((column) => [column, codec.decode(kinds.get(column) ?? 'text', row[column])]);
      if (values.length > 0) await write(JSON.stringify({ table, id: last, values: Object.fromEntries(values) }));
    }
    if (rows.length < rowsPerRead) return;
  }
}
