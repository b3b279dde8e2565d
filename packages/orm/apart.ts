import type { CompiledField, CompiledModel } from './compiled.ts';

/** Written along with every field, including fields with `apart`. */
const stamps: ReadonlySet<string> = Object.freeze(new Set(['write_date', 'write_uid']));

/** Key that stands for changes of a field with `apart`, used alongside table names. */
function mark(table: string, field: CompiledField): string {
  return `${table}.${field.name}`;
}

/** Returns the change keys that reading this field depends on, besides its table. */
export function dependencyKeys({ table, fields }: CompiledModel, field: CompiledField): string[] {
  if (field.options.apart) return [mark(table, field)];
  if (!stamps.has(field.name)) return [];
  return [...fields.values()].filter(({ options }) => options.apart).map((changed) => mark(table, changed));
}

/** Returns the change keys of a write to these fields: their `apart` fields, and the table unless every field has `apart`. */
export function changedKeys({ table }: CompiledModel, fields: readonly CompiledField[]): string[] {
  const apartFields = fields.filter(({ options }) => options.apart);
  const isApart = fields.length > 0 && apartFields.length === fields.length;
  return [...(isApart ? [] : [table]), ...apartFields.map((field) => mark(table, field))];
}
