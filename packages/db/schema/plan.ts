import type { ColumnSpec, IndexSpec, SchemaPlan, SchemaProblem, SchemaStep, TableSpec } from '../types.ts';
import { validName } from './names.ts';

export interface PlanOptions {
  /** False on PostgreSQL without pg_trgm: `trgm` indexes are left out. */
  trgm: boolean;
}

/** Compares the target schema with the existing one; see `SchemaTools.plan`. */
export function planSchema(
  target: readonly TableSpec[],
  current: readonly TableSpec[],
  options: PlanOptions,
): SchemaPlan {
  const present = new Map(current.map((table) => [table.name, table]));
  const problems = [...target.flatMap(nameProblems), ...repeated(target)];
  const tables: SchemaStep[] = [];
  const columns: SchemaStep[] = [];
  const indexes: SchemaStep[] = [];
  for (const table of target) {
    const existing = present.get(table.name);
    if (!existing) tables.push(createTable(table));
    else columns.push(...planColumns(table, existing, problems));
    indexes.push(...planIndexes(table, existing, options));
  }
  return { steps: [...tables, ...columns, ...indexes], problems };
}

export function createTable(table: TableSpec): SchemaStep {
  return { type: 'createTable', table: { ...table, indexes: [] } };
}

function planColumns(target: TableSpec, existing: TableSpec, problems: SchemaProblem[]): SchemaStep[] {
  const steps: SchemaStep[] = [];
  const report = (level: SchemaProblem['level'], column: string, message: string) =>
    problems.push({ level, table: target.name, column, message });
  for (const column of target.columns) {
    const old = existing.columns.find((candidate) => candidate.name === column.name);
    if (old) steps.push(...differences(target, column, old, report));
    else steps.push(addColumn(target.name, column, report));
  }
  for (const old of existing.columns) {
    const isGone = !target.columns.some((column) => column.name === old.name);
    if (isGone && old.notNull && old.kind !== 'id' && (old.default ?? null) === null) {
      report(
        'error',
        old.name,
        `The column needs a value and nobody fills it any more; a migration has to make it nullable or drop it.`,
      );
    }
  }
  if (String(target.primaryKey ?? '') !== String(existing.primaryKey ?? '')) {
    problems.push({
      level: 'error',
      table: target.name,
      message: 'The primary key differs; only a migration can change it.',
    });
  }
  return steps;
}

type Report = (level: SchemaProblem['level'], column: string, message: string) => void;

/** Makes the column nullable or gives it a default, for existing rows and for inserts by code that doesn't know it. */
function addColumn(table: string, target: ColumnSpec, report: Report): SchemaStep {
  let column = target;
  const hasDefault = (target.default ?? null) !== null;
  if (target.kind === 'id')
    report('error', target.name, 'A primary key cannot be added to a table that is already there.');
  if (target.notNull && !hasDefault) {
    report(
      'note',
      target.name,
      'The table may have rows already, so the column is made nullable; the model asks for a value.',
    );
    column = { ...column, notNull: false };
  }
  if (target.references && hasDefault) {
    report(
      'note',
      target.name,
      'A column that refers to another table cannot be added with a default; it is made without.',
    );
    column = { ...column, notNull: false, default: null };
  }
  return { type: 'addColumn', table, column };
}

function differences(
  { name: table, primaryKey }: TableSpec,
  target: ColumnSpec,
  old: ColumnSpec,
  report: Report,
): SchemaStep[] {
  if (target.kind !== old.kind) {
    report(
      'error',
      target.name,
      `The column is ${old.kind} in the database and ${target.kind} in ${table}; only a migration can change it.`,
    );
  }
  if (old.notNull && !target.notNull && (old.default ?? null) === null && target.kind !== 'id') {
    report(
      'error',
      target.name,
      'The column needs a value in the database and may be empty in the model; only a migration can change it.',
    );
  }
  const points = (column: ColumnSpec) =>
    column.references ? `${column.references.table}, ${column.references.onDelete}` : 'nothing';
  if (points(target) === points(old)) return [];
  // Link tables are copied; in other tables, values are copied to a new column, which has to be nullable.
  const isChangeable = primaryKey !== undefined || (!target.notNull && (target.default ?? null) === null);
  if (target.references && target.references.table === old.references?.table && isChangeable) {
    return [{ type: 'changeReference', table, column: target }];
  }
  report(
    'error',
    target.name,
    `The column refers to (${points(old)}) in the database and to (${points(target)}) in the model; only a migration can change it.`,
  );
  return [];
}

/** An index holds no data of its own, so a different one is simply rebuilt. */
function planIndexes(target: TableSpec, existing: TableSpec | undefined, options: PlanOptions): SchemaStep[] {
  const steps: SchemaStep[] = [];
  for (const index of target.indexes) {
    if (index.using === 'trgm' && !options.trgm) continue;
    const old = existing?.indexes.find((candidate) => candidate.name === index.name);
    if (old && definition(old) === definition(index)) continue;
    if (old) steps.push({ type: 'dropIndex', table: target.name, index: index.name });
    steps.push({ type: 'createIndex', table: target.name, index, shared: existing !== undefined });
  }
  return steps;
}

function definition({ columns, unique = false, where = '', using = 'btree', text }: IndexSpec): string {
  return JSON.stringify([columns, unique, where, using, text ? [text.column, text.languages] : null]);
}

function nameProblems(table: TableSpec): SchemaProblem[] {
  const names = [
    { name: table.name, where: {} },
    ...table.columns.map(({ name }) => ({ name, where: { column: name } })),
    ...table.indexes.map(({ name }) => ({ name, where: { index: name } })),
  ];
  return names
    .filter(({ name }) => !validName.test(name))
    .map(({ name, where }) => ({
      level: 'error',
      table: table.name,
      ...where,
      message: `“${name}” cannot be a name in the database: lower case letters, digits and _, at most 63 of them.`,
    }));
}

/** Index names are global to the database, so unrelated addons may use the same one. */
function repeated(tables: readonly TableSpec[]): SchemaProblem[] {
  const problems: SchemaProblem[] = [];
  const owners = new Map<string, string>();
  for (const { name: table, indexes } of tables) {
    for (const name of [table, ...indexes.map((index) => index.name)]) {
      const owner = owners.get(name);
      if (owner)
        problems.push({
          level: 'error',
          table,
          message: `The name ${name} is taken by the table ${owner}; names of tables and indexes are of the whole database.`,
        });
      owners.set(name, table);
    }
  }
  return problems;
}
