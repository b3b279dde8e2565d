import { codecFor } from './codec.ts';
import type { SchemaDialect } from './schema/dialect.ts';
import { planSchema } from './schema/plan.ts';
import { type Counters, counted } from './settings.ts';
import type { Connection, Database, DatabaseMetrics, SchemaStep, SchemaTools } from './types.ts';

/** Dialect-specific pieces of an open database; the rest is shared. */
export interface DatabaseParts
  extends Pick<Database, 'dialect' | 'knex' | 'changes' | 'reader' | 'reading' | 'snapshot' | 'write' | 'close'> {
  readonly counters: Counters;
  readonly schema: Omit<SchemaToolsParts, 'snapshot'>;
  /** Whether the server responded recently and read connections are becoming free. */
  alive(): boolean;
  /** Current waiters and open connections. */
  load(): Pick<DatabaseMetrics, 'writesWaiting' | 'readsWaiting' | 'connections'>;
}

/** Assembles a database; see `Database`. */
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

interface SchemaToolsParts {
  snapshot: Database['snapshot'];
  dialect: SchemaDialect;
  /** Whether `trgm` indexes are available (SQLite uses plain ones instead). */
  trgm: boolean;
  /** Creates and drops indexes without blocking writers. */
  applyOutside(steps: readonly SchemaStep[]): Promise<void>;
}

function createSchemaTools({ snapshot, dialect, trgm, applyOutside }: SchemaToolsParts): SchemaTools {
  const on = <T>(connection: Connection | undefined, work: (connection: Connection) => Promise<T>) =>
    connection ? work(connection) : snapshot(work);
  return {
    introspect: (connection) => on(connection, dialect.introspect),
    columns: () => snapshot(dialect.columns),
    describe: (connection) => on(connection, dialect.describe),
    plan: (target, current) => planSchema(target, current, { trgm }),
    apply: (transaction, steps) => dialect.apply(transaction, steps),
    applyOutside,
  };
}
