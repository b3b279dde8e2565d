import { textIn } from '../../db/fragments.ts';
import type { CompiledField } from '../compiled.ts';
import type { Level, SqlScope } from './scope.ts';

/** A column of a table within a statement. */
export function column(alias: string, name: string): string {
  return `${alias}."${name}"`;
}

/** SQL for a field's value as it is compared: of a translated one the text in the first language that has one. */
export function valueSql(scope: SqlScope, alias: string, field: CompiledField): string {
  const name = field.column ?? 'id';
  scope.reads(field);
  return field.translated ? translated(scope, column(alias, name)) : column(alias, name);
}

/** SQL for a value behind many2one fields; null where the way ends or leads to what the reader may not see. */
export function behindSql(
  scope: SqlScope,
  level: Level,
  path: readonly CompiledField[],
  guard: (inner: Level) => string,
): string {
  const [field, ...rest] = path;
  if (!field) return 'null';
  scope.touch(level, field);
  if (rest.length === 0 || !field.relation) return valueSql(scope, level.alias, field);
  const model = scope.registry.need(field.relation.to);
  const inner: Level = { ...level, model, alias: scope.use(model) };
  const seen = guard(inner);
  const and = seen === 'true' ? '' : ` and ${seen}`;
  return `(select ${behindSql(scope, inner, rest, guard)} from "${model.table}" ${inner.alias} where ${inner.alias}."id" = ${column(level.alias, field.column ?? 'id')}${and})`;
}

/** SQL for the folded text of a field; null when it keeps none. */
export function foldSql(scope: SqlScope, alias: string, field: CompiledField): string | null {
  if (field.foldColumn === null) return null;
  const folded = column(alias, field.foldColumn);
  return field.translated ? translated(scope, folded) : folded;
}

function translated(scope: SqlScope, json: string): string {
  return textIn(scope.dialect, json, scope.languages);
}

/** SQL for what records are sorted by. */
export function sortSql(scope: SqlScope, alias: string, field: CompiledField): string {
  return foldSql(scope, alias, field) ?? valueSql(scope, alias, field);
}
