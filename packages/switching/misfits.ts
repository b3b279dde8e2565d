import type { Generation, Problem } from '@pergola/core';
import type { Database } from '@pergola/db';
import { type ModelRegistry, models, placeProblems, tablesOf } from '@pergola/orm';
import { planSchema } from './prepare.ts';
import { removedFieldProblem, removedFields } from './removed-fields.ts';

/** A column required by the models of a generation but missing in the database. */
interface MissingColumn {
  readonly table: string;
  readonly column: string;
}

/**
 * Finds fields and models without a column or table because the code changed without a new addon version. Pages reading them would fail.
 *
 * @returns a problem for each field or model, with the line of its declaration
 */
export async function misfits(database: Database, generation: Generation): Promise<Problem[]> {
  const registry = generation.get(models);
  const columns = await database.schema.columns();
  const missing = tablesOf(registry).flatMap(({ name: table, columns: tableColumns }) =>
    tableColumns.flatMap(({ name: column }) => (columns.get(table)?.has(column) ? [] : [{ table, column }])),
  );
  if (missing.length === 0) return [];
  const { addons } = generation;
  const { owners, targetTables, current, steps } = await planSchema(database, generation);
  const removed = await removedFields(database, {
    addons: new Set(addons.map(({ name }) => name)),
    targetTables,
    current,
  });
  // A renamed field is reported once, under its old name.
  const renamed = removed.filter(({ table }) => missing.some((column) => column.table === table));
  const isRenamed = ({ table }: MissingColumn): boolean => renamed.some((field) => field.table === table);
  const needs = new Map<string, string>();
  for (const column of missing.filter((item) => !isRenamed(item)))
    needs.set(needOf(column, registry, columns), owners.get(`${column.table}.${column.column}`) ?? 'core');
  const unmet = [...needs].map(([need, addon]): Problem => {
    const { version } = addons.find(({ name }) => name === addon)?.definition ?? {};
    return {
      addon,
      message: `${need} in the database, although version ${version} of the addon is enabled.`,
      remedy: `Raise \`version\` in addon.ts, and run \`npx pergola upgrade ${addon}\`.`,
    };
  });
  return [
    ...renamed.map((field) => removedFieldProblem(field, { steps: steps.alters, addons })),
    ...placeProblems(unmet, addons),
  ];
}

/** Model or field of a missing column. */
function needOf(
  { table, column }: MissingColumn,
  registry: ModelRegistry,
  tables: ReadonlyMap<string, ReadonlySet<string>>,
): string {
  for (const model of registry.models.values()) {
    if (model.table === table && !tables.has(table)) return `The model “${model.name}” has no table`;
    for (const { name, relation, ...field } of model.fields.values()) {
      const isColumn = model.table === table && (field.column === column || field.foldColumn === column);
      if (isColumn) return `The field “${name}” of “${model.name}” has no column`;
      const isLink = field.stored && relation?.kind === 'many2many' && relation.table === table;
      if (isLink) return `The field “${name}” of “${model.name}” has no table`;
    }
  }
  return `“${table}.${column}” is missing`;
}
