import { type ErrorDetails, InvalidInput, WrongCode } from '@pergola/core';
import { parseOrder, unsortable } from '../build/paths.ts';
import type { CompiledField, OrderTerm } from '../compiled.ts';
import { column, oneBehind, sortSql } from './columns.ts';
import { fieldOf, guardSql, realPath } from './compile.ts';
import type { Level, Sql, SqlScope } from './scope.ts';

/** The terms of an order that code wrote. Throws WrongCode. */
export function orderTerms(order: string): readonly OrderTerm[] {
  const terms = parseOrder(order);
  if (terms) return terms;
  throw new WrongCode(
    `“${order.slice(0, 80)}” isn’t a valid order. List fields with asc or desc, separated by commas.`,
  );
}

/**
 * SQL of the `order by` list; the id comes last, so that equal records always stand the same way. Empty values sort as the smallest on both
 * databases. A many2one sorts by the name of what it leads to.
 */
export function orderSql(scope: SqlScope, level: Level, terms: readonly OrderTerm[]): Sql[] {
  const sorted = terms.map(({ path, descending }) => {
    const { sql, nullable } = termSql(scope, level, path);
    return sortTerm(scope, sql, descending, nullable);
  });
  const hasId = terms.some(({ path }) => path.length === 1 && path[0] === 'id');
  // In the direction of the last term, so that an index on it serves both.
  const isDescending = terms.at(-1)?.descending ?? false;
  return hasId ? sorted : [...sorted, sortTerm(scope, column(scope, level.alias, 'id'), isDescending, false)];
}

/** One term of an `order by`: empty values are the smallest, as SQLite has it by itself. */
export function sortTerm(scope: SqlScope, sql: Sql, descending: boolean, nullable: boolean): Sql {
  const nulls = nullable && scope.dialect === 'postgres' ? (descending ? ' nulls last' : ' nulls first') : '';
  return scope.knex.raw(`?${descending ? ' desc' : ''}${nulls}`, [sql]);
}

/** SQL for what one term sorts by, and whether it may be empty. */
export function termSql(scope: SqlScope, level: Level, path: readonly string[]): { sql: Sql; nullable: boolean } {
  const [name = '', ...rest] = path;
  const field = fieldOf(level.model, name);
  scope.touch(level, field);
  const real = realPath(field, level.model);
  if (real) return termSql(scope, level, [...real, ...rest]);
  if (rest.length === 0 && field.relation?.kind !== 'many2one') {
    const fault = unsortable([field]);
    if (fault || field.column === null)
      throw new InvalidInput('Records can’t be sorted by “{field}”.', aboutOrder({ field: name }));
    // Indexes say of every column but the id where empty values stand, whether there are any or not; an order has to say the same.
    return { sql: sortSql(scope, level.alias, field), nullable: field.name !== 'id' };
  }
  return { sql: behindSql(scope, level, field, rest), nullable: true };
}

function behindSql(scope: SqlScope, level: Level, field: CompiledField, rest: readonly string[]): Sql {
  if (field.relation?.kind !== 'many2one' || field.column === null) {
    throw new InvalidInput('Records can’t be sorted through “{field}”.', aboutOrder({ field: field.name }));
  }
  const model = scope.registry.need(field.relation.to);
  const path = rest.length > 0 ? rest : model.nameField ? [model.nameField.name] : null;
  if (!path) return column(scope, level.alias, field.column);
  const inner: Level = { ...level, model, alias: scope.use(model) };
  const { sql: value } = termSql(scope, inner, path);
  // The name behind a many2one may be read with the record; what else stands there only by those who see it.
  const seen = rest.length > 0 ? guardSql(scope, inner) : null;
  return oneBehind(scope, level, { field, inner, seen, value });
}

/** The details of an InvalidInput about an order. */
export function aboutOrder(params: Readonly<Record<string, string>>): ErrorDetails {
  return { code: 'core.bad_order', params };
}
