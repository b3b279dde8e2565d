import type { CompiledField, CompiledModel } from './compiled.ts';

/** When and by whom: they change with every field, also with one that is kept apart. */
const stamps: ReadonlySet<string> = Object.freeze(new Set(['write_date', 'write_uid']));

/** The name under which changes of a field that is kept apart are told, beside the names of tables. */
function mark(table: string, field: CompiledField): string {
  return `${table}.${field.name}`;
}

/** What else than its table somebody reads who reads a field. */
export function readBeside({ table, fields }: CompiledModel, field: CompiledField): string[] {
  if (field.options.apart) return [mark(table, field)];
  if (!stamps.has(field.name)) return [];
  return [...fields.values()].filter(({ options }) => options.apart).map((other) => mark(table, other));
}

/** What somebody changes who writes these fields: the table, unless all of them are kept apart. */
export function changedBy({ table }: CompiledModel, fields: readonly CompiledField[]): string[] {
  const apart = fields.filter(({ options }) => options.apart);
  const isApart = fields.length > 0 && apart.length === fields.length;
  return [...(isApart ? [] : [table]), ...apart.map((field) => mark(table, field))];
}
