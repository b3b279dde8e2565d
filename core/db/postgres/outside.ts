import { DatabaseMisuse } from '../errors.ts';
import { quoted } from '../schema/names.ts';
import { createIndexSql } from '../schema/postgres.ts';
import type { SchemaStep } from '../types.ts';
import type { PostgresConnection } from './connection.ts';

/**
 * A CONCURRENTLY that failed leaves an index that is kept up but never used, and a process that was killed one without its comment: both are
 * made again.
 */
export async function applyConcurrently(connection: PostgresConnection, steps: readonly SchemaStep[]): Promise<void> {
  const run = (sql: string) => connection.run(sql, { patienceMs: 0 });
  await run('set statement_timeout = 0; set lock_timeout = 0');
  try {
    for (const step of steps) {
      if (step.type === 'dropIndex') await run(`drop index concurrently if exists ${quoted(step.index)}`);
      else if (step.type !== 'createIndex') throw new DatabaseMisuse(`“${step.type}” needs a transaction.`);
      else if (!(await isThere(connection, step.index.name))) {
        await run(`drop index concurrently if exists ${quoted(step.index.name)}`);
        for (const sql of createIndexSql(step.table, step.index, 'concurrently ')) await run(sql);
      }
    }
  } finally {
    await run('reset statement_timeout; reset lock_timeout');
  }
}

async function isThere(connection: PostgresConnection, index: string): Promise<boolean> {
  const { rows } = await connection.query({
    sql: "select 1 from pg_index x join pg_class i on i.oid = x.indexrelid join pg_namespace n on n.oid = i.relnamespace where n.nspname = current_schema() and i.relname = $1 and x.indisvalid and obj_description(i.oid, 'pg_class') is not null",
    bindings: [index],
  });
  return rows.length > 0;
}
