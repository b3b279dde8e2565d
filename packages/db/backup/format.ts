import { InvalidInput } from '@pergola/core';
import { z } from 'zod';
import type { ColumnKind, ColumnSpec, TableSpec } from '../types.ts';

/**
 * A backup consists of JSON lines that both databases can read:
 *
 *   {"pergola":"backup","version":1,…,"tables":[{…spec,"next":42}]}      contents, and the next id of each table
 *   {"table":"forum_post","columns":["id","name"]}                       followed by its rows, in key order
 *   [1,"Hello"]
 *   {"end":"forum_post","rows":1}
 *   {"done":1}                                                           if missing, the backup is truncated
 *
 * Values are in codec format: datetimes as ISO texts, booleans as true and false, JSON unchanged.
 */
export const formatVersion = 1;

export interface DumpedTable extends TableSpec {
  /** Id of the next new row; null for tables without ids. */
  next: number | null;
}

/** First line of a backup. */
export interface BackupHeader {
  pergola: 'backup';
  version: number;
  /** Time of the snapshot, ISO. */
  at: string;
  /** Identifies the `SESSION_SECRET` of the original site. Backups with a key end with a checksum line. */
  key?: string | undefined;
  tables: DumpedTable[];
}

export interface BackupCount {
  tables: number;
  rows: number;
}

/** Some line readers also break lines at these two characters. */
export function line(value: unknown): string {
  return JSON.stringify(value).replace(/[\u2028\u2029]/g, (character) =>
    character === '\u2028' ? '\\u2028' : '\\u2029',
  );
}

/** Reads a backup line by line and tracks its position. */
export class LineReader {
  readonly #lines: AsyncIterator<string> | Iterator<string>;
  /** Number of the last line read, from 1. */
  line = 0;

  constructor(lines: AsyncIterable<string> | Iterable<string>) {
    this.#lines = Symbol.asyncIterator in lines ? lines[Symbol.asyncIterator]() : lines[Symbol.iterator]();
  }

  async next(): Promise<unknown> {
    const { value, done: isDone } = await this.#lines.next();
    if (isDone) throw broken(this, 'it was cut off');
    this.line += 1;
    try {
      return JSON.parse(value);
    } catch {
      throw broken(this, 'it is no line of JSON');
    }
  }
}

/** Error for an unusable backup, with the reason. */
export function broken(reader: { line: number }, reason: string): InvalidInput {
  return new InvalidInput(`The backup cannot be used, line ${reader.line}: ${reason}. Nothing was changed.`, {
    code: 'core.bad_backup',
  });
}

/** Validates the value against the schema for this position. */
export function parsed<T>(schema: z.ZodType<T>, value: unknown, reader: LineReader): T {
  const result = schema.safeParse(value);
  if (!result.success) throw broken(reader, 'it is not what belongs here');
  return result.data;
}

/** Parses the first line. */
export function readHeader(value: unknown): BackupHeader {
  const result = headerSchema.safeParse(value);
  if (!result.success) throw broken({ line: 1 }, 'it does not begin like a backup of Pergola');
  if (result.data.version > formatVersion) throw broken({ line: 1 }, 'it was made by a newer version');
  return result.data;
}

const kinds: readonly ColumnKind[] = [
  'id',
  'integer',
  'bigint',
  'float',
  'text',
  'boolean',
  'date',
  'datetime',
  'json',
  'words',
];

const columnSchema: z.ZodType<ColumnSpec> = z.object({
  name: z.string(),
  kind: z.enum(kinds),
  notNull: z.boolean().optional(),
  default: z.union([z.string(), z.number(), z.boolean(), z.null()]).optional(),
  references: z.object({ table: z.string(), onDelete: z.enum(['restrict', 'cascade', 'set null']) }).optional(),
});

const headerSchema: z.ZodType<BackupHeader> = z.object({
  pergola: z.literal('backup'),
  version: z.number(),
  at: z.string(),
  key: z.string().optional(),
  tables: z.array(
    z.object({
      name: z.string(),
      columns: z.array(columnSchema),
      indexes: z.array(
        z.object({
          name: z.string(),
          columns: z.array(z.string()),
          unique: z.boolean().optional(),
          where: z.string().optional(),
          using: z.enum(['btree', 'trgm', 'fulltext']).optional(),
        }),
      ),
      primaryKey: z.array(z.string()).optional(),
      next: z.number().nullable(),
    }),
  ),
});

/** Lines allowed between tables. */
export const sectionSchema = z.union([
  z.object({ table: z.string(), columns: z.array(z.string()) }),
  z.object({ done: z.number() }),
]);
/** Lines allowed within a table. */
export const rowSchema = z.union([z.array(z.unknown()), z.object({ end: z.string(), rows: z.number() })]);
