import { join } from 'node:path';
import { type Addon, lineNaming, type PlanItem, type Problem, sentence } from '@pergola/core';
import { type Connection, type Database, rowsOf, type SchemaStep, type TableSpec } from '@pergola/db';
import { placeProblems } from '@pergola/orm';
import type { MigrationFile } from './addon-files.ts';
import { type LedgerEntry, readLedger } from './ledger.ts';
import type { TableNames } from './table-names.ts';

/** A column, or a table with `column: null`, that has values but no field or model any longer. */
export interface RemovedField {
  readonly addon: string;
  readonly table: string;
  readonly column: string | null;
  /** Name of the table's model; null for the links of a many2many field. */
  readonly model: string | null;
  /** Number of rows with a value. */
  readonly count: number;
}

/** Input of the comparison. */
interface Compared {
  /** Addons whose database objects are up to date with their code. */
  readonly addons: ReadonlySet<string>;
  readonly targetTables: readonly TableSpec[];
  readonly current: readonly TableSpec[];
}

/**
 * Fields and models removed from the code of these addons while the database still has values. Excludes fields of disabled addons, and
 * those kept by a migration.
 */
export async function removedFields(
  database: Database,
  { addons, targetTables, current }: Compared,
  connection: Connection = database.reader,
): Promise<RemovedField[]> {
  const wantedTables = new Map(
    targetTables.map((table) => [table.name, new Set(table.columns.map(({ name }) => name))]),
  );
  const ledger = await readLedger(database, null, connection);
  const owners = new Map(ledger.flatMap((entry) => ownerIn(entry)));
  const keptColumns = new Set(
    ledger.flatMap((entry) => (entry.kind === 'kept' ? [`${entry.table}.${entry.name}`] : [])),
  );
  const models = new Map(
    ledger.flatMap((entry) => (entry.kind === 'model' ? [[entry.table, entry.name] as const] : [])),
  );
  const removed: RemovedField[] = [];
  for (const { name: table, columns } of current) {
    const tableOwner = owners.get(table);
    if (tableOwner === undefined || keptColumns.has(`${table}.`)) continue;
    const model = models.get(table) ?? null;
    const used = wantedTables.get(table);
    if (!used) {
      if (!addons.has(tableOwner)) continue;
      const count = await countRows(database, connection, table);
      if (count > 0) removed.push({ addon: tableOwner, table, column: null, model, count });
      continue;
    }
    for (const { name: column, kind } of columns) {
      const addon = owners.get(`${table}.${column}`) ?? tableOwner;
      // Folded texts and search words are derived from fields and can be rebuilt.
      const isDerived = kind === 'words' || column.endsWith('__fold');
      if (used.has(column) || isDerived || !addons.has(addon) || keptColumns.has(`${table}.${column}`)) continue;
      const count = await countRows(database, connection, table, column, kind === 'boolean');
      if (count > 0) removed.push({ addon, table, column, model, count });
    }
  }
  return removed;
}

function ownerIn(entry: LedgerEntry): (readonly [string, string])[] {
  if (entry.kind === 'table' || entry.kind === 'link') return [[entry.table, entry.addon]];
  return entry.kind === 'column' ? [[`${entry.table}.${entry.name}`, entry.addon]] : [];
}

async function countRows(
  { knex }: Database,
  connection: Connection,
  table: string,
  column?: string,
  isBoolean = false,
): Promise<number> {
  const rows = knex(table).count({ count: '*' });
  if (column !== undefined) void (isBoolean ? rows.where({ [column]: true }) : rows.whereNotNull(column));
  const [row] = await rowsOf(connection, rows);
  return Number(row?.count ?? 0);
}

/** Context for reporting a removed field. */
interface RemovalContext {
  /** Additions of the same switch: a single new column of the table is probably the renamed field. */
  readonly steps: readonly SchemaStep[];
  readonly addons: readonly Addon[];
}

/** Asks the developer about a removed field, with the line of the model or of the list of models. */
export function removedFieldProblem(field: RemovedField, { steps, addons }: RemovalContext): Problem {
  const [problem = question(field, steps)] = placeProblems([question(field, steps)], addons);
  const folder = addons.find(({ name }) => name === field.addon)?.folder;
  if (problem.file !== undefined || folder === undefined) return problem;
  return { ...problem, file: 'addon.ts', line: lineNaming(join(folder, 'addon.ts'), ['models', 'defineAddon']) };
}

function question({ addon, table, column, model, count }: RemovedField, steps: readonly SchemaStep[]): Problem {
  const records = count === 1 ? '1 record has' : `${count} records have`;
  const make = `npx pergola make migration <name> --addon ${addon}`;
  if (column === null) {
    const name = model ?? table;
    return {
      addon,
      message: `“${name}” is no longer declared, and its table ${table} has ${count === 1 ? '1 row' : `${count} rows`}.`,
      remedy: `Say in a migration what becomes of them: ${make} with --rename-model ${name}=<new model>, --drop-model ${name} or --keep-model ${name}`,
    };
  }
  const name = `${shortName(addon, model ?? table)}.${column}`;
  const added = steps.flatMap((step) =>
    step.type === 'addColumn' && step.table === table && !step.column.name.endsWith('__fold') ? [step.column.name] : [],
  );
  const newName = added.length === 1 ? added[0] : '<new field>';
  return {
    addon,
    message: `The field “${column}” of “${model ?? table}” is no longer stored, and ${records} a value in it.`,
    remedy: `Say in a migration what becomes of the values: ${make} with --rename ${name}=${newName}, --drop ${name} or --keep ${name}`,
  };
}

/** Notes in a plan that migrations have to handle a removed field. Whether they do is known after they ran. */
export function removedFieldItem({ addon, table, column, model, count }: RemovedField, names: TableNames): PlanItem {
  const word = model === null ? names.wordOn(table) : names.wordOf(model);
  const words = { model: [word] };
  const text =
    column === null
      ? count === 1
        ? sentence('“{model}” no longer exists but has 1 record. A migration must handle it.', {}, words)
        : sentence(
            '“{model}” no longer exists but has {count} records. A migration must handle them.',
            { count },
            words,
          )
      : count === 1
        ? sentence(
            'The field “{field}” of “{model}” no longer exists but has a value in 1 record. A migration must handle it.',
            { field: column },
            words,
          )
        : sentence(
            'The field “{field}” of “{model}” no longer exists but has {count} values. A migration must handle them.',
            { field: column, count },
            words,
          );
  return { topic: 'removed', addon, sentence: text, data: { table, column, count } };
}

/** Whether a migration visibly renames, drops or keeps a removed field or model. Whether it does is known for certain after it ran. */
export function answers({ migration }: MigrationFile, { table, column, model }: RemovedField): boolean {
  const code = String(migration.up);
  const calls =
    column === null
      ? [`(?:drop|keep|rename)Table\\(\\s*${quotedIn(table)}`, `renameModel\\(\\s*${quotedIn(model ?? table)}`]
      : [`(?:drop|keep|rename)Column\\(\\s*${quotedIn(table)}\\s*,\\s*${quotedIn(column)}`];
  return calls.some((call) => new RegExp(call).test(code));
}

/** Whether a migration visibly renames a field to this column, whose values are then not new. */
export function renamesTo({ migration }: MigrationFile, table: string, column: string): boolean {
  const call = `renameColumn\\(\\s*${quotedIn(table)}\\s*,\\s*(['"\`])\\w+\\2\\s*,\\s*${quotedIn(column)}`;
  return new RegExp(call).test(String(migration.up));
}

function quotedIn(name: string): string {
  return `(['"\`])${name.replaceAll('.', '\\.')}['"\`]`;
}

/** Model name for `make migration`: single-word names belong to the addon itself. */
function shortName(addon: string, model: string): string {
  const [first, second, ...rest] = model.split('.');
  return first === addon && second !== undefined && rest.length === 0 ? second : model;
}
