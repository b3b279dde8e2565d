import type { Knex } from 'knex';
import type { ChangeBoard } from './change-board.ts';
import { codecFor } from './codec.ts';
import { createSchemaTools, type SchemaToolsParts } from './schema/tools.ts';
import { type Counters, counted } from './settings.ts';
import type { Connection, Database, Dialect, ReadBounds, Transaction, WriteOptions } from './types.ts';

/** What a dialect brings; the rest of an open database is the same for both. */
export interface DatabaseParts {
  readonly dialect: Dialect;
  readonly knex: Knex;
  readonly counters: Counters;
  readonly changes: ChangeBoard;
  readonly reader: Connection;
  reading(bounds: ReadBounds): Connection;
  snapshot<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
  write<T>(work: (transaction: Transaction) => Promise<T>, options?: WriteOptions): Promise<T>;
  readonly schema: Omit<SchemaToolsParts, 'snapshot'>;
  /** Whether the other side answered lately, and connections to read with become free. */
  alive(): boolean;
  /** Now waiting, and now open. */
  load(): { writesWaiting: number; readsWaiting: number; connections: number };
  close(): Promise<void>;
}

/** Puts a database together; see `Database`. */
export function assembleDatabase(parts: DatabaseParts): Database {
  const { dialect, knex, counters, changes, reader, reading, close } = parts;
  const snapshot: Database['snapshot'] = (work) => counted(counters, parts.snapshot(work));
  return {
    dialect,
    knex,
    codec: codecFor(dialect),
    reader,
    reading,
    changes,
    snapshot,
    write: (work, options) => counted(counters, parts.write(work, options)),
    schema: createSchemaTools({ ...parts.schema, snapshot }),
    health: async () => parts.alive(),
    metrics: () => ({ ...counters, ...parts.load() }),
    close,
  };
}
