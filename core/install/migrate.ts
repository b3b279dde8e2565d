import { BrokenAddons } from '../base/index.ts';
import { type Database, knexOn, quoted, rowsOf, type Transaction } from '../db/index.ts';
import type { MigrationTools } from '../model/index.ts';
import type { MigrationFile } from './addon-files.ts';

/** Runs migrations in their order inside the transaction. A failing one is named with its file, and everything is undone. */
export async function runMigrations(
  database: Database,
  transaction: Transaction,
  migrations: readonly MigrationFile[],
  note: (text: string) => void,
): Promise<void> {
  const tools = createMigrationTools(database, transaction, note);
  for (const { addon, file, migration } of migrations) {
    try {
      await migration.up(tools);
    } catch (error) {
      const message = `failed: ${error instanceof Error ? error.message : String(error)}`;
      throw new BrokenAddons([
        { addon, file, message, remedy: 'Nothing was changed. Correct the migration and try again.' },
      ]);
    }
  }
}

/**
 * What migrations work with. Renaming and dropping take the indexes concerned away first, since those are named after tables and columns; the
 * additive plan that follows makes the ones that are wanted. What the ledger says of them follows.
 */
export function createMigrationTools(
  database: Database,
  transaction: Transaction,
  note: (text: string) => void = () => {},
): MigrationTools {
  const { schema, knex } = database;
  const run = (sql: string) => transaction.query({ sql, bindings: [] });
  const ledger = (where: Record<string, string>) => knex('core_ownership').where(where);
  const columnsOf = async (table: string): Promise<string[]> =>
    ((await schema.introspect(transaction)).find(({ name }) => name === table)?.columns ?? []).map(({ name }) => name);
  const dropIndex = async (table: string, name: string): Promise<void> => {
    await schema.apply(transaction, [{ type: 'dropIndex', table, index: name }]);
    await rowsOf(transaction, ledger({ kind: 'index', table_name: table, name }).delete());
  };
  const dropIndexes = async (table: string, columns?: readonly string[]): Promise<void> => {
    const found = (await schema.introspect(transaction)).find(({ name }) => name === table);
    const concerned = (found?.indexes ?? []).filter(
      (index) => columns === undefined || index.columns.some((column) => columns.includes(column)),
    );
    for (const { name } of concerned) await dropIndex(table, name);
  };
  /** A column, and that of its folded text if it has one. */
  const withFold = async (table: string, column: string): Promise<string[]> => {
    const present = await columnsOf(table);
    return [column, `${column}__fold`].filter((name) => name === column || present.includes(name));
  };
  return {
    dialect: database.dialect,
    note,
    db: knexOn(knex, transaction, ({ writes, table }) => {
      if (writes && table) transaction.touch(table);
    }),
    async addColumn(table, column, kind) {
      if ((await columnsOf(table)).includes(column)) return;
      await schema.apply(transaction, [{ type: 'addColumn', table, column: { name: column, kind } }]);
      transaction.touch(table);
    },
    async renameColumn(table, from, to) {
      const columns = await withFold(table, from);
      await dropIndexes(table, columns);
      for (const name of columns) {
        const renamed = to + name.slice(from.length);
        await run(`alter table ${quoted(table)} rename column ${quoted(name)} to ${quoted(renamed)}`);
        await rowsOf(transaction, ledger({ kind: 'column', table_name: table, name }).update({ name: renamed }));
      }
      await renameInChecksums(database, transaction, { table, from, to });
      transaction.touch(table);
    },
    async renameTable(from, to) {
      await dropIndexes(from);
      await run(`alter table ${quoted(from)} rename to ${quoted(to)}`);
      await rowsOf(transaction, ledger({ table_name: from }).update({ table_name: to }));
      transaction.touch(from);
      transaction.touch(to);
    },
    async dropColumn(table, column) {
      const columns = await withFold(table, column);
      await dropIndexes(table, columns);
      for (const name of columns) {
        await schema.apply(transaction, [{ type: 'dropColumn', table, column: name }]);
        await rowsOf(transaction, ledger({ kind: 'column', table_name: table, name }).delete());
      }
      transaction.touch(table);
    },
    async dropTable(table) {
      await schema.apply(transaction, [{ type: 'dropTable', table }]);
      await rowsOf(transaction, ledger({ table_name: table }).delete());
      transaction.touch(table);
    },
    dropIndex,
  };
}

/** What was shipped in a field is known by its name: after this, records nobody changed still count as such. */
async function renameInChecksums(
  { knex, codec }: Database,
  transaction: Transaction,
  { table, from, to }: { table: string; from: string; to: string },
): Promise<void> {
  const models = knex('core_ownership').select('name').where({ kind: 'model', table_name: table });
  const rows = await rowsOf(transaction, knex('core_external_id').select('id', 'checksums').whereIn('model', models));
  for (const row of rows) {
    const checksums = (codec.decode('json', row.checksums) ?? {}) as Record<string, unknown>;
    // `name`, or `name:fr_FR` for a translated one.
    const renamed = Object.entries(checksums).map(([key, value]) => [
      key.replace(/^[^:]*/, (field) => (field === from ? to : field)),
      value,
    ]);
    const changed = codec.encode('json', Object.fromEntries(renamed));
    await rowsOf(
      transaction,
      knex('core_external_id')
        .where({ id: Number(row.id) })
        .update({ checksums: changed }),
    );
  }
}
