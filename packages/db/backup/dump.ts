import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { InvalidInput } from '@pergola/core';
import { rowsOf } from '../run.ts';
import { selectRows } from '../schema/dialect.ts';
import { quoted } from '../schema/names.ts';
import type { Connection, Database, Row, TableSpec } from '../types.ts';
import { type BackupCount, type BackupHeader, type DumpedTable, formatVersion, line } from './format.ts';

const rowsPerRead = 200;

/**
 * Writes tables (all by default) from one snapshot, while the server continues to read and write. `write` receives one line at a time,
 * without line break, and is awaited. `key` identifies the site's secret in the first line.
 */
export async function dumpTables(
  database: Database,
  tables: readonly string[] | null,
  write: (line: string) => Promise<void> | void,
  key?: string,
): Promise<BackupCount> {
  return database.snapshot(async (connection) => {
    const specs = chosen(await database.schema.introspect(connection), tables);
    const dumped: DumpedTable[] = [];
    for (const spec of specs) dumped.push({ ...spec, next: await nextId(connection, spec) });
    const header: BackupHeader = {
      pergola: 'backup',
      version: formatVersion,
      at: new Date().toISOString(),
      key,
      tables: dumped,
    };
    await write(line(header));
    let rows = 0;
    for (const spec of specs) rows += await dumpTable(database, connection, spec, write);
    await write(line({ done: rows }));
    return { tables: specs.length, rows };
  });
}

/** All tables as lines without line breaks, written at the reader's speed. Calls `onEnd` with the number of tables and rows. */
export async function* dumpLines(
  database: Database,
  { key, onEnd = () => {} }: { readonly key?: string; readonly onEnd?: (count: BackupCount) => void } = {},
): AsyncGenerator<string> {
  const lines = new PassThrough({ objectMode: true });
  // A reader that stops early, with a full disk for example, closes the stream, and `drain` never fires after that.
  const stopped = new AbortController();
  const { signal } = stopped;
  lines.once('close', () => stopped.abort());
  const write = async (text: string): Promise<void> => {
    signal.throwIfAborted();
    if (!lines.write(text)) await once(lines, 'drain', { signal });
  };
  dumpTables(database, null, write, key).then(
    (count) => {
      onEnd(count);
      lines.end();
    },
    (error: Error) => lines.destroy(error),
  );
  yield* lines;
}

function chosen(present: readonly TableSpec[], names: readonly string[] | null): readonly TableSpec[] {
  if (!names) return present;
  const missing = names.filter((name) => !present.some((table) => table.name === name));
  if (missing.length > 0)
    throw new InvalidInput(`There is no table ${missing.join(', ')} to back up.`, { code: 'core.no_such_table' });
  return present.filter((table) => names.includes(table.name));
}

async function dumpTable(
  database: Database,
  connection: Connection,
  spec: TableSpec,
  write: (line: string) => Promise<void> | void,
): Promise<number> {
  const names = spec.columns.map((column) => column.name);
  const readers = spec.columns.map(({ name, kind }) => {
    const decode = database.codec.decoder(kind);
    return (row: Row) => (decode ? decode(row[name]) : row[name]);
  });
  await write(line({ table: spec.name, columns: names }));
  let count = 0;
  for await (const row of readRows(database, connection, spec)) {
    await write(line(readers.map((read) => read(row))));
    count += 1;
  }
  await write(line({ end: spec.name, rows: count }));
  return count;
}

/** All rows in key order, in small batches; each read continues after the last key. */
async function* readRows({ knex }: Database, connection: Connection, spec: TableSpec): AsyncGenerator<Row> {
  const key = keyOf(spec);
  const columns = spec.columns.map((column) => column.name);
  const rows = knex(spec.name).select(columns).orderBy(key).limit(rowsPerRead);
  const afterKey = `(${key.map(() => '??').join(', ')}) > (${key.map(() => '?').join(', ')})`;
  for (let last: Row | undefined; ; ) {
    const next = last ? rows.clone().whereRaw(afterKey, [...key, ...key.map((name) => last?.[name] as number)]) : rows;
    const batch = await rowsOf(connection, next);
    yield* batch;
    last = batch.at(-1);
    if (!last || batch.length < rowsPerRead) return;
  }
}

function keyOf(spec: TableSpec): string[] {
  if (spec.primaryKey) return spec.primaryKey;
  const id = spec.columns.find((column) => column.kind === 'id');
  if (id) return [id.name];
  throw new InvalidInput(
    `The table ${spec.name} has no primary key, so it cannot be backed up; it is not one of Pergola's.`,
  );
}

async function nextId(connection: Connection, spec: TableSpec): Promise<number | null> {
  if (!spec.columns.some((column) => column.kind === 'id')) return null;
  if (connection.dialect === 'sqlite') {
    const [row] = await selectRows(connection, 'select seq from sqlite_sequence where name = ?', [spec.name]);
    return Number(row?.seq ?? 0) + 1;
  }
  const [sequence] = await selectRows(connection, "select pg_get_serial_sequence($1, 'id') as name", [
    quoted(spec.name),
  ]);
  const [row] = await selectRows(connection, `select last_value, is_called from ${String(sequence?.name)}`);
  return Number(row?.last_value) + (row?.is_called === true ? 1 : 0);
}
