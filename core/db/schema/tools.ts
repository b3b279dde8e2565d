import { createHash } from 'node:crypto';
import type { Connection, Database, SchemaStep, SchemaTools } from '../types.ts';
import type { SchemaDialect } from './dialect.ts';
import { planSchema } from './plan.ts';

export interface SchemaToolsParts {
  snapshot: Database['snapshot'];
  dialect: SchemaDialect;
  /** Whether `trgm` indexes can be made (on SQLite a plain one stands in). */
  trgm: boolean;
  /** How this database makes and drops indexes without stopping writers. */
  applyOutside(steps: readonly SchemaStep[]): Promise<void>;
}

export function createSchemaTools({ snapshot, dialect, trgm, applyOutside }: SchemaToolsParts): SchemaTools {
  const on = <T>(connection: Connection | undefined, work: (connection: Connection) => Promise<T>) =>
    connection ? work(connection) : snapshot(work);
  const describe = (connection?: Connection) => on(connection, dialect.describe);
  return {
    introspect: (connection) => on(connection, dialect.introspect),
    describe,
    fingerprint: async (connection) =>
      createHash('sha256')
        .update((await describe(connection)).join('\n'))
        .digest('hex'),
    plan: (wanted, current) => planSchema(wanted, current, { trgm }),
    apply: (transaction, steps) => dialect.apply(transaction, steps),
    applyOutside,
  };
}
