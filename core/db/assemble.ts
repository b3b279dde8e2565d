import { codecFor } from './codec.ts';
import { createSchemaTools, type SchemaToolsParts } from './schema/tools.ts';
import { type Counters, counted } from './settings.ts';
import type { Database, DatabaseMetrics } from './types.ts';

/** What a dialect brings; the rest of an open database is the same for both. */
export interface DatabaseParts
  extends Pick<Database, 'dialect' | 'knex' | 'changes' | 'reader' | 'reading' | 'snapshot' | 'write' | 'close'> {
  readonly counters: Counters;
  readonly schema: Omit<SchemaToolsParts, 'snapshot'>;
  /** Whether the other side answered lately, and connections to read with become free. */
  alive(): boolean;
  /** Now waiting, and now open. */
  load(): Pick<DatabaseMetrics, 'writesWaiting' | 'readsWaiting' | 'connections'>;
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
