import { InvalidInput } from '@pergola/core';
import { z } from 'zod';
import type { ColumnKind, ColumnSpec, TableSpec } from '../types.ts';

/**
 * A backup is lines of JSON that either database can read:
 *
 *   {"pergola":"backup","version":1,…,"tables":[{…spec,"next":42}]}      what follows, and which id each table gives next
 *   {"table":"forum_post","columns":["id","name"]}                       then its rows, in the order of their key
 *   [1,"Hello"]
 *   {"end":"forum_post","rows":1}
 *   {"done":1}                                                           without this line it was cut off
 *
 * Values are those of the codec: moments as ISO texts, truth as true and false, JSON as it is.
 */
export const formatVersion = 1;

export interface DumpedTable extends TableSpec {
  /** The id the next new row would get; null for tables without one. */
  next: number | null;
}

/** The first line of a backup. */
export interface BackupHeader {
  pergola: 'backup';
  version: number;
  /** When the snapshot was taken, ISO. */
  at: string;
  /** Identifies the `SESSION_SECRET` of the site that made it. Backups with it end with a line that has their check sum. */
  key?: string | undefined;
  tables: DumpedTable[];
}

export interface BackupCount {
  tables: number;
  rows: number;
}

/** Some readers of lines also end one at these two characters. */
export function line(value: unknown): string {
  return JSON.stringify(value).replace(/[\u2028\u2029]/g, (character) =>
    character === '\u2028' ? '\\u2028' : '\\u2029',
  );
}

/** Reads a backup line by line and knows where it stands. */
export class LineReader {
  readonly #lines: AsyncIterator<string> | Iterator<string>;
  /** Number of the last line read, from 1. */
  line = 0;

  constructor(lines: AsyncIterable<string> | Iterable<string>) {
    this.#lines = Symbol.asyncIterator in lines ? lines[Symbol.asyncIterator]() : lines[Symbol.iterator]();
  }

  async next(): Promise<unknown> {
    const { value, done } = await this.#lines.next();
    if (done) throw broken(this, 'it was cut off');
    this.line += 1;
    try {
      return JSON.parse(value);
    } catch {
      throw broken(this, 'it is no line of JSON');
    }
  }
}

/** A backup that cannot be used, and why. */
export function broken(reader: { line: number }, why: string): InvalidInput {
  return new InvalidInput(`The backup cannot be used, line ${reader.line}: ${why}. Nothing was changed.`, {
    code: 'core.bad_backup',
  });
}

/** The value, found to be what belongs at this place. */
export function parsed<T>(schema: z.ZodType<T>, value: unknown, reader: LineReader): T {
  const result = schema.safeParse(value);
  if (!result.success) throw broken(reader, 'it is not what belongs here');
  return result.data;
}

/** The first line. */
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

/** What may stand between tables. */
export const sectionSchema = z.union([
  z.object({ table: z.string(), columns: z.array(z.string()) }),
  z.object({ done: z.number() }),
]);
/** What may stand within a table. */
export const rowSchema = z.union([z.array(z.unknown()), z.object({ end: z.string(), rows: z.number() })]);
