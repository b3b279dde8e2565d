import type { Database, TableSpec } from './types.ts';

/** Attempts if another process creates the tables at the same time. */
const maxTries = 10;

/** Creates missing tables of parts. Takes one query if nothing is missing. */
export async function ensureTables(database: Database, tables: readonly TableSpec[]): Promise<void> {
  const planned = async () => database.schema.plan(tables, await database.schema.introspect()).steps;
  for (let tries = 1; (await planned()).length > 0; tries += 1) {
    try {
      // Planned again inside the transaction, since another node may be starting too.
      await database.write(
        async (transaction) => {
          const { steps } = database.schema.plan(tables, await database.schema.introspect(transaction));
          await database.schema.apply(transaction, steps);
        },
        { label: 'core tables', deadlineMs: 30_000 },
      );
    } catch (error) {
      // PostgreSQL rejects a table just created by another process, which this transaction can't see.
      if (tries === maxTries) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50 * tries));
    }
  }
}
