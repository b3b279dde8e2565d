import type { Database, TableSpec } from './types.ts';

/** How often to look again when another process makes the tables at the same moment. */
const mostTries = 10;

/** Creates the missing tables of parts. Costs one look if nothing is missing. */
export async function ensureTables(database: Database, tables: readonly TableSpec[]): Promise<void> {
  const planned = async () => database.schema.plan(tables, await database.schema.introspect()).steps;
  for (let tries = 1; (await planned()).length > 0; tries += 1) {
    try {
      // Looked at again inside: another node may be starting too.
      await database.write(
        async (transaction) => {
          const { steps } = database.schema.plan(tables, await database.schema.introspect(transaction));
          await database.schema.apply(transaction, steps);
        },
        { label: 'core tables', deadlineMs: 30_000 },
      );
    } catch (error) {
      // PostgreSQL refuses a table that somebody else has just made, and the transaction cannot see it.
      if (tries === mostTries) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50 * tries));
    }
  }
}
