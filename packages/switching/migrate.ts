import { BrokenAddons, WrongCode } from '@pergola/core';
import { type ColumnKind, type Database, knexOn, quoted, rowsOf, type SchemaStep, type Transaction } from '@pergola/db';
import type { MigrationTools } from '@pergola/orm';
import type { MigrationFile } from './addon-files.ts';
import { Renames } from './renames.ts';

/** Migrations aren't always checked by a compiler. */
const columnKinds: Readonly<Record<Exclude<ColumnKind, 'id'>, true>> = {
  integer: true,
  bigint: true,
  float: true,
  text: true,
  boolean: true,
  date: true,
  datetime: true,
  json: true,
  words: true,
};

/**
 * Runs migrations in order inside the transaction. An error names the failing migration's file, and everything is rolled back.
 *
 * @param planned schema steps that would follow
 * @returns the renames
 */
export async function runMigrations(
  database: Database,
  transaction: Transaction,
  { migrations, planned }: { readonly migrations: readonly MigrationFile[]; readonly planned: readonly SchemaStep[] },
  note: (text: string) => void,
): Promise<Renames> {
  const renames = new Renames();
  const tools = createMigrationTools(database, transaction, { note, planned });
  for (const { addon, file, migration } of migrations) {
    try {
      await migration.up(observed(tools, renames, { addon, file }));
    } catch (error) {
      const message = `failed: ${error instanceof Error ? error.message : String(error)}`;
      const remedy = [missingColumn(message, planned), 'Nothing was changed. Correct the migration and try again.'];
      throw new BrokenAddons([{ addon, file, message, remedy: remedy.filter(Boolean).join(' ') }]);
    }
  }
  return renames;
}

/** Names of a missing column in the messages of SQLite and PostgreSQL. */
const MISSING_COLUMN = /no such column: (?:\w+\.)?"?(\w+)|column "?(?:\w+\.)?(\w+)"? .*does not exist/;

/** What to do if a statement misses the column of a new field. */
function missingColumn(message: string, planned: readonly SchemaStep[]): string {
  const [, sqliteName, postgresName] = MISSING_COLUMN.exec(message) ?? [];
  const missingName = sqliteName ?? postgresName;
  for (const step of planned)
    if (step.type === 'addColumn' && step.column.name === missingName)
      return `Columns of new fields are added after the migrations. Call addColumn('${step.table}', '${missingName}', '${step.column.kind}') first.`;
  return '';
}

/** Wraps the tools of one migration to record its renames. */
function observed(
  tools: MigrationTools,
  renames: Renames,
  migration: { readonly addon: string; readonly file: string },
): MigrationTools {
  return {
    ...tools,
    async renameColumn(table, from, to) {
      await tools.renameColumn(table, from, to);
      renames.add({ ...migration, kind: 'field', table, from, to });
    },
    async renameTable(from, to) {
      await tools.renameTable(from, to);
      renames.tableRenamed(from, to);
    },
    async renameModel(from, to) {
      await tools.renameModel(from, to);
      renames.tableRenamed(from.replaceAll('.', '_'), to.replaceAll('.', '_'));
      renames.add({ ...migration, kind: 'model', table: to.replaceAll('.', '_'), from, to });
    },
  };
}

/**
 * Tools for migrations. Renaming and dropping first drop the affected indexes, since those are named after tables and columns; the
 * following additive plan recreates the required ones. Also updates the ledger.
 *
 * @param options.planned schema steps that would follow; columns are added as planned, with their defaults
 */
export function createMigrationTools(
  database: Database,
  transaction: Transaction,
  {
    note = () => {},
    planned = [],
  }: { readonly note?: (text: string) => void; readonly planned?: readonly SchemaStep[] } = {},
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
    const spec = (await schema.introspect(transaction)).find(({ name }) => name === table);
    const concerned = (spec?.indexes ?? []).filter(
      (index) => columns === undefined || index.columns.some((column) => columns.includes(column)),
    );
    for (const { name } of concerned) await dropIndex(table, name);
  };
  /** A column, and its folded text column if it has one. */
  const withFold = async (table: string, column: string): Promise<string[]> => {
    const present = await columnsOf(table);
    return [column, `${column}__fold`].filter((name) => name === column || present.includes(name));
  };
  const keep = async (table: string, name: string): Promise<void> => {
    const entries = await rowsOf(
      transaction,
      ledger({ table_name: table }).whereIn('kind', ['table', 'link', 'column']).select('kind', 'name', 'addon'),
    );
    const owner =
      entries.find((entry) => entry.kind === 'column' && entry.name === name) ??
      entries.find(({ kind }) => kind !== 'column');
    if (!owner) throw new WrongCode(`No addon has a table “${table}”.`);
    const entry = { kind: 'kept', addon: owner.addon, table_name: table, name };
    await rowsOf(transaction, knex('core_ownership').insert(entry).onConflict(['kind', 'table_name', 'name']).ignore());
  };
  const renameTable = async (from: string, to: string): Promise<void> => {
    await dropIndexes(from);
    await run(`alter table ${quoted(from)} rename to ${quoted(to)}`);
    await rowsOf(transaction, ledger({ table_name: from }).update({ table_name: to }));
    transaction.touch(from);
    transaction.touch(to);
  };
  return {
    dialect: database.dialect,
    note,
    db: knexOn(knex, transaction, ({ writes, table }) => {
      if (writes && table) transaction.touch(table);
    }),
    async addColumn(table, column, kind) {
      if ((await columnsOf(table)).includes(column)) return;
      const step = planned.find(
        (step) => step.type === 'addColumn' && step.table === table && step.column.name === column,
      );
      if (step?.type === 'addColumn' && step.column.kind !== kind)
        throw new WrongCode(`The column “${column}” of “${table}” is of kind “${step.column.kind}”, not “${kind}”.`);
      if (!(kind in columnKinds))
        throw new WrongCode(`“${kind}” isn’t a kind of column. Kinds: ${Object.keys(columnKinds).join(', ')}.`);
      await schema.apply(transaction, [step ?? { type: 'addColumn', table, column: { name: column, kind } }]);
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
    renameTable,
    async renameModel(from, to) {
      const [model] = await rowsOf(transaction, ledger({ kind: 'model', name: from }).select('table_name'));
      if (!model) throw new WrongCode(`No addon has a model “${from}”.`);
      await renameTable(String(model.table_name), to.replaceAll('.', '_'));
      await rowsOf(transaction, ledger({ kind: 'model', name: from }).update({ name: to }));
      await rowsOf(transaction, knex('core_external_id').where({ model: from }).update({ model: to }));
      for (const pair of await rowsOf(transaction, ledger({ kind: 'pair' }).select('table_name', 'detail'))) {
        const table = String(pair.table_name);
        const { model: column } = database.codec.decode('json', pair.detail) as { readonly model: string };
        await rowsOf(
          transaction,
          knex(table)
            .where({ [column]: from })
            .update({ [column]: to }),
        );
        transaction.touch(table);
      }
    },
    async dropColumn(table, column) {
      const columns = await withFold(table, column);
      await dropIndexes(table, columns);
      for (const name of columns) {
        await schema.apply(transaction, [{ type: 'dropColumn', table, column: name }]);
        await rowsOf(transaction, ledger({ table_name: table, name }).whereIn('kind', ['column', 'kept']).delete());
      }
      transaction.touch(table);
    },
    keepColumn: keep,
    keepTable: (table) => keep(table, ''),
    async dropTable(table) {
      await schema.apply(transaction, [{ type: 'dropTable', table }]);
      await rowsOf(transaction, ledger({ table_name: table }).delete());
      transaction.touch(table);
    },
    dropIndex,
  };
}

/** Shipped values are tracked by field name: renames them, so that unchanged records still count as unchanged. */
async function renameInChecksums(
  { knex, codec }: Database,
  transaction: Transaction,
  { table, from, to }: { table: string; from: string; to: string },
): Promise<void> {
  const models = knex('core_ownership').select('name').where({ kind: 'model', table_name: table });
  const rows = await rowsOf(transaction, knex('core_external_id').select('id', 'checksums').whereIn('model', models));
  for (const row of rows) {
    const checksums = (codec.decode('json', row.checksums) ?? {}) as Record<string, unknown>;
    // `name`, or `name:fr_FR` for a translated field.
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
