import type { ColumnSpec, IndexSpec, SchemaPlan, SchemaProblem, SchemaStep, TableSpec } from '../types.ts';
import { validName } from './names.ts';

export interface PlanOptions {
  /** False on PostgreSQL without pg_trgm: `trgm` indexes are left out. */
  trgm: boolean;
}

/** Compares the wanted schema with the existing one; see `SchemaTools.plan`. */
export function planSchema(
  wanted: readonly TableSpec[],
  current: readonly TableSpec[],
  options: PlanOptions,
): SchemaPlan {
  const present = new Map(current.map((table) => [table.name, table]));
  const problems = [...wanted.flatMap(nameProblems), ...repeated(wanted)];
  const tables: SchemaStep[] = [];
  const columns: SchemaStep[] = [];
  const indexes: SchemaStep[] = [];
  for (const table of wanted) {
    const there = present.get(table.name);
    if (!there) tables.push(createTable(table));
    else columns.push(...planColumns(table, there, problems));
    indexes.push(...planIndexes(table, there, options));
  }
  return { steps: [...tables, ...columns, ...indexes], problems };
}

export function createTable(table: TableSpec): SchemaStep {
  return { type: 'createTable', table: { ...table, indexes: [] } };
}

function planColumns(wanted: TableSpec, there: TableSpec, problems: SchemaProblem[]): SchemaStep[] {
  const steps: SchemaStep[] = [];
  const report = (level: SchemaProblem['level'], column: string, message: string) =>
    problems.push({ level, table: wanted.name, column, message });
  for (const column of wanted.columns) {
    const old = there.columns.find((candidate) => candidate.name === column.name);
    if (old) steps.push(...differences(wanted, column, old, report));
    else steps.push(addColumn(wanted.name, column, report));
  }
  for (const old of there.columns) {
    const isGone = !wanted.columns.some((column) => column.name === old.name);
    if (isGone && old.notNull && old.kind !== 'id' && (old.default ?? null) === null) {
      report(
        'error',
        old.name,
        `The column needs a value and nobody fills it any more; a migration has to make it nullable or drop it.`,
      );
    }
  }
  if (String(wanted.primaryKey ?? '') !== String(there.primaryKey ?? '')) {
    problems.push({
      level: 'error',
      table: wanted.name,
      message: 'The primary key differs; only a migration can change it.',
    });
  }
  return steps;
}

type Report = (level: SchemaProblem['level'], column: string, message: string) => void;

/** Makes the column nullable or gives it a default, for existing rows and for inserts by code that doesn't know it. */
function addColumn(table: string, wanted: ColumnSpec, report: Report): SchemaStep {
  let column = wanted;
  const hasDefault = (wanted.default ?? null) !== null;
  if (wanted.kind === 'id')
    report('error', wanted.name, 'A primary key cannot be added to a table that is already there.');
  if (wanted.notNull && !hasDefault) {
    report(
      'note',
      wanted.name,
      'The table may have rows already, so the column is made nullable; the model asks for a value.',
    );
    column = { ...column, notNull: false };
  }
  if (wanted.references && hasDefault) {
    report(
      'note',
      wanted.name,
      'A column that refers to another table cannot be added with a default; it is made without.',
    );
    column = { ...column, notNull: false, default: null };
  }
  return { type: 'addColumn', table, column };
}

function differences(
  { name: table, primaryKey }: TableSpec,
  wanted: ColumnSpec,
  old: ColumnSpec,
  report: Report,
): SchemaStep[] {
  if (wanted.kind !== old.kind) {
    report(
      'error',
      wanted.name,
      `The column is ${old.kind} in the database and ${wanted.kind} in ${table}; only a migration can change it.`,
    );
  }
  if (old.notNull && !wanted.notNull && (old.default ?? null) === null && wanted.kind !== 'id') {
    report(
      'error',
      wanted.name,
      'The column needs a value in the database and may be empty in the model; only a migration can change it.',
    );
  }
  const points = (column: ColumnSpec) =>
    column.references ? `${column.references.table}, ${column.references.onDelete}` : 'nothing';
  if (points(wanted) === points(old)) return [];
  // Link tables are copied; in other tables, values are copied to a new column, which has to be nullable.
  const isChangeable = primaryKey !== undefined || (!wanted.notNull && (wanted.default ?? null) === null);
  if (wanted.references && wanted.references.table === old.references?.table && isChangeable) {
    return [{ type: 'changeReference', table, column: wanted }];
  }
  report(
    'error',
    wanted.name,
    `The column refers to (${points(old)}) in the database and to (${points(wanted)}) in the model; only a migration can change it.`,
  );
  return [];
}

/** An index holds no data of its own, so a different one is simply rebuilt. */
function planIndexes(wanted: TableSpec, there: TableSpec | undefined, options: PlanOptions): SchemaStep[] {
  const steps: SchemaStep[] = [];
  for (const index of wanted.indexes) {
    if (index.using === 'trgm' && !options.trgm) continue;
    const old = there?.indexes.find((candidate) => candidate.name === index.name);
    if (old && definition(old) === definition(index)) continue;
    if (old) steps.push({ type: 'dropIndex', table: wanted.name, index: index.name });
    steps.push({ type: 'createIndex', table: wanted.name, index, shared: there !== undefined });
  }
  return steps;
}

function definition({ columns, unique = false, where = '', using = 'btree', text }: IndexSpec): string {
  return JSON.stringify([columns, unique, where, using, text ? [text.column, text.languages] : null]);
}

function nameProblems(table: TableSpec): SchemaProblem[] {
  const named = [
    { name: table.name, where: {} },
    ...table.columns.map(({ name }) => ({ name, where: { column: name } })),
    ...table.indexes.map(({ name }) => ({ name, where: { index: name } })),
  ];
  return named
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
