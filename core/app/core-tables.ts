import { tables as clusterTables } from '../cluster/index.ts';
import type { Database, TableSpec } from '../db/index.ts';
import { tables as httpTables } from '../http/index.ts';
import { tables as translationTables } from '../i18n/index.ts';
import { tables as addonTables } from '../install/index.ts';
import { tables as jobTables } from '../jobs/index.ts';
import { tables as mailTables } from '../mail/index.ts';
import { tables as dataTables } from '../model/index.ts';
import { settingTables } from '../settings/index.ts';

/** The core's own tables. */
const coreTables: readonly TableSpec[] = [
  ...addonTables,
  ...settingTables,
  ...clusterTables,
  ...httpTables,
  ...jobTables,
  ...mailTables,
  ...translationTables,
  ...dataTables,
];

/** How often to look again when another process makes the tables at the same moment. */
const mostTries = 10;

/** Makes what is missing of the core's tables. Costs one look where nothing is. */
export async function ensureCoreTables(database: Database): Promise<void> {
  const planned = async () => database.schema.plan(coreTables, await database.schema.introspect()).steps;
  for (let tries = 1; (await planned()).length > 0; tries += 1) {
    try {
      // Looked at again inside: another node may be starting too.
      await database.write(
        async (transaction) => {
          const { steps } = database.schema.plan(coreTables, await database.schema.introspect(transaction));
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
