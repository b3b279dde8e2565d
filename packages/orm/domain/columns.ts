import { textIn } from '@pergola/db';
import type { CompiledField } from '../compiled.ts';
import { allWhere } from './combine.ts';
import type { Level, Sql, SqlScope } from './scope.ts';

/** Returns a column of a table in a statement. */
export function column({ knex }: SqlScope, alias: string, name: string): Sql {
  return knex.ref(`${alias}.${name}`);
}

/** Returns SQL for a field's value in comparisons: for a translated field, the text in the first language that has one. */
export function valueSql(scope: SqlScope, alias: string, field: CompiledField): Sql {
  const value = column(scope, alias, field.column ?? 'id');
  scope.reads(field);
  return field.translated ? translated(scope, value) : value;
}

/** Returns SQL for a value behind many2one fields; null if the path ends early or leads to a hidden record. */
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

/** Returns SQL for a value of a many2one's record, if the reader may see it. */
export function oneBehind(
  { knex }: SqlScope,
  level: Level,
  { field, inner, seen, value }: { field: CompiledField; inner: Level; seen: Sql | null; value: Sql },
): Sql {
  const subquery = knex({ [inner.alias]: inner.model.table })
    .select(value)
    .where(`${inner.alias}.id`, knex.ref(`${level.alias}.${field.column ?? 'id'}`));
  return knex.raw('?', [allWhere(subquery, [seen])]);
}

/** Returns SQL for the folded text of a field, or null if none is stored. */
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

/** Returns SQL for a field's sort key. */
export function sortSql(scope: SqlScope, alias: string, field: CompiledField): Sql {
  return foldSql(scope, alias, field) ?? valueSql(scope, alias, field);
}
