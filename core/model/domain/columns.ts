import type { CompiledField } from '../compiled.ts';
import type { SqlScope } from './scope.ts';

/** A column of a table within a statement. */
export function column(alias: string, name: string): string {
  return `${alias}."${name}"`;
}

/** SQL for a field's value as it is compared: of a translated one the text in the first language that has one. */
export function valueSql(scope: SqlScope, alias: string, field: CompiledField): string {
  const name = field.column ?? 'id';
  return field.translated ? translated(scope, column(alias, name)) : column(alias, name);
}

/** SQL for the folded text of a field; null when it keeps none. */
export function foldSql(scope: SqlScope, alias: string, field: CompiledField): string | null {
  if (field.foldColumn === null) return null;
  const folded = column(alias, field.foldColumn);
  return field.translated ? translated(scope, folded) : folded;
}

/** Texts compare by code point, as the columns themselves do on both databases. */
function translated(scope: SqlScope, json: string): string {
  const texts = scope.languages.map((lang) => `${json} ->> '${lang.replaceAll("'", "''")}'`);
  const found = texts.length > 1 ? `coalesce(${texts.join(', ')})` : `(${texts[0] ?? 'null'})`;
  return scope.dialect === 'sqlite' ? found : `${found} collate "C"`;
}

/** SQL for what records are sorted by. */
export function sortSql(scope: SqlScope, alias: string, field: CompiledField): string {
  return foldSql(scope, alias, field) ?? valueSql(scope, alias, field);
}

/** Whether the column can be empty in the database, as far as its declaration tells. */
export function isNullable(field: CompiledField): boolean {
  return !(field.name === 'id' || field.type === 'boolean' || (field.required && !field.layered && !field.compute));
}
