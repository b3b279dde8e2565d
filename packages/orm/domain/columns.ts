import { textIn } from '@pergola/db';
import type { CompiledField } from '../compiled.ts';
import { allWhere } from './combine.ts';
import type { Level, Sql, SqlScope } from './scope.ts';

/** A column of a table within a statement. */
export function column({ knex }: SqlScope, alias: string, name: string): Sql {
  return knex.ref(`${alias}.${name}`);
}

/** SQL for a field's value as it is compared: of a translated one the text in the first language that has one. */
export function valueSql(scope: SqlScope, alias: string, field: CompiledField): Sql {
  const value = column(scope, alias, field.column ?? 'id');
  scope.reads(field);
  return field.translated ? translated(scope, value) : value;
}

/** SQL for a value behind many2one fields; null where the way ends or leads to what the reader may not see. */
export function behindSql(
  scope: SqlScope,
  level: Level,
  path: readonly CompiledField[],
  guard: (inner: Level) => Sql | null,
): Sql {
  const [field, ...rest] = path;
  if (!field) return scope.knex.raw('null');
  scope.touch(level, field);
  if (rest.length === 0 || !field.relation) return valueSql(scope, level.alias, field);
  const model = scope.registry.need(field.relation.to);
  const inner: Level = { ...level, model, alias: scope.use(model) };
  const seen = guard(inner);
  return oneBehind(scope, level, { field, inner, seen, value: behindSql(scope, inner, rest, guard) });
}

/** SQL for a value of the one record that a many2one leads to, if it is seen. */
export function oneBehind(
  { knex }: SqlScope,
  level: Level,
  { field, inner, seen, value }: { field: CompiledField; inner: Level; seen: Sql | null; value: Sql },
): Sql {
  const one = knex({ [inner.alias]: inner.model.table })
    .select(value)
    .where(`${inner.alias}.id`, knex.ref(`${level.alias}.${field.column ?? 'id'}`));
  return knex.raw('?', [allWhere(one, [seen])]);
}

/** SQL for the folded text of a field; null when it keeps none. */
export function foldSql(scope: SqlScope, alias: string, field: CompiledField): Sql | null {
  if (field.foldColumn === null) return null;
  const folded = column(scope, alias, field.foldColumn);
  return field.translated ? translated(scope, folded) : folded;
}

function translated({ knex, dialect, languages }: SqlScope, json: Sql): Sql {
  return knex.raw(
    textIn(dialect, '?', languages),
    languages.map(() => json),
  );
}

/** SQL for what records are sorted by. */
export function sortSql(scope: SqlScope, alias: string, field: CompiledField): Sql {
  return foldSql(scope, alias, field) ?? valueSql(scope, alias, field);
}
