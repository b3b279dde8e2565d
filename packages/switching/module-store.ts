import type { AddonState, Problem, StoredAddon } from '@pergola/core';
import { type Connection, type Database, rowsOf, type Transaction } from '@pergola/db';

/** Stored state of an addon. */
export interface ModuleRow extends StoredAddon {
  readonly demo: boolean;
  /** Highest id in each shared table when it was disabled: rows above it were created without its values. */
  readonly watermarks: Readonly<Record<string, number>>;
  /** Files of completed migrations. */
  readonly migrations: readonly string[];
}

const TABLE = 'ir_module';

/** States of all addons known to the database, by name; other addons are `uninstalled`. */
export async function readModules(
  database: Database,
  connection: Connection = database.reader,
): Promise<Map<string, ModuleRow>> {
  const { knex, codec } = database;
  const rows = await rowsOf(connection, knex(TABLE).select().orderBy('name'));
  return new Map(
    rows.map((row) => [
      String(row.name),
      {
        name: String(row.name),
        state: row.state as AddonState,
        version: row.version === null ? null : String(row.version),
        demo: codec.decode('boolean', row.demo) as boolean,
        watermarks: (codec.decode('json', row.watermarks) ?? {}) as Record<string, number>,
        migrations: (codec.decode('json', row.migrations) ?? []) as string[],
        lastError: codec.decode('json', row.last_error) as Problem[] | null,
        changedAt: codec.decode('datetime', row.changed_at) as Date | null,
        changedBy: row.changed_by === null ? null : String(row.changed_by),
      },
    ]),
  );
}

/** Updates the stored state of an addon, creating its row if necessary. */
export async function writeModule(
  database: Database,
  transaction: Transaction,
  name: string,
  changes: Partial<Omit<ModuleRow, 'name' | 'changedAt'>>,
): Promise<void> {
  const { knex, codec } = database;
  const now = codec.encode('datetime', new Date());
  const values: Record<string, unknown> = { write_date: now };
  if (changes.state !== undefined) Object.assign(values, { state: changes.state, changed_at: now });
  if (changes.version !== undefined) values.version = changes.version;
  if (changes.demo !== undefined) values.demo = codec.encode('boolean', changes.demo);
  if (changes.migrations !== undefined) values.migrations = codec.encode('json', changes.migrations);
  if (changes.watermarks !== undefined) values.watermarks = codec.encode('json', changes.watermarks);
  if (changes.lastError !== undefined) values.last_error = codec.encode('json', changes.lastError);
  if (changes.changedBy !== undefined) values.changed_by = changes.changedBy;
  const insert = knex(TABLE).insert({ name, create_date: now, ...values });
  await rowsOf(transaction, insert.onConflict('name').merge(Object.keys(values)));
  transaction.touch(TABLE);
}
