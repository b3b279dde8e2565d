import { type ErrorDetails, InvalidInput, WrongCode } from '@pergola/core';
import { parseOrder, unsortable } from '../build/paths.ts';
import type { CompiledField, OrderTerm } from '../compiled.ts';
import { column, oneBehind, sortSql } from './columns.ts';
import { fieldOf, guardSql, realPath } from './compile.ts';
import type { Level, Sql, SqlScope } from './scope.ts';

/**
 * Parses an order written in code.
 *
 * @throws WrongCode if the syntax is wrong
 */
export function orderTerms(order: string): readonly OrderTerm[] {
  const terms = parseOrder(order);
  if (terms) return terms;
  throw new WrongCode(
    `“${order.slice(0, 80)}” isn’t a valid order. List fields with asc or desc, separated by commas.`,
  );
}

/**
 * Returns SQL for the `order by` list; the id comes last, so that the order of equal records is stable. Empty values sort as the smallest
 * on both databases. A many2one sorts by the name of its record.
 */
export function orderSql(scope: SqlScope, level: Level, terms: readonly OrderTerm[]): Sql[] {
  const sorted = terms.map(({ path, descending }) => {
    const { sql, nullable } = termSql(scope, level, path);
    return sortTerm(scope, sql, descending, nullable);
  });
  const hasId = terms.some(({ path }) => path.length === 1 && path[0] === 'id');
  // In the direction of the last term, so that one index serves both.
  const isDescending = terms.at(-1)?.descending ?? false;
  return hasId ? sorted : [...sorted, sortTerm(scope, column(scope, level.alias, 'id'), isDescending, false)];
}

/** Returns SQL for one term of `order by`: empty values are the smallest, which is SQLite's default. */
export function sortTerm(scope: SqlScope, sql: Sql, descending: boolean, nullable: boolean): Sql {
  const nulls = nullable && scope.dialect === 'postgres' ? (descending ? ' nulls last' : ' nulls first') : '';
  return scope.knex.raw(`?${descending ? ' desc' : ''}${nulls}`, [sql]);
}

/** Returns SQL for a term's sort key, and whether it may be null. */
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
    // Indexes declare where nulls sort for every column except the id, nullable or not; an order has to match.
    return { sql: sortSql(scope, level.alias, field), nullable: field.name !== 'id' };
  }
  return { sql: behindSql(scope, level, field, rest), nullable: true };
}

function behindSql(scope: SqlScope, level: Level, field: CompiledField, remaining: readonly string[]): Sql {
  if (field.relation?.kind !== 'many2one' || field.column === null) {
    throw new InvalidInput('Records can’t be sorted through “{field}”.', aboutOrder({ field: field.name }));
  }
  const model = scope.registry.need(field.relation.to);
  const path = remaining.length > 0 ? remaining : model.nameField ? [model.nameField.name] : null;
  if (!path) return column(scope, level.alias, field.column);
  const inner: Level = { ...level, model, alias: scope.use(model) };
  const { sql: value } = termSql(scope, inner, path);
  // Anyone who may read the record may see the name behind its many2one; other values of that record are subject to its rules.
  const seen = remaining.length > 0 ? guardSql(scope, inner) : null;
  return oneBehind(scope, level, { field, inner, seen, value });
}

/** Details of an InvalidInput about an order. */
export function aboutOrder(params: Readonly<Record<string, string>>): ErrorDetails {
  return { code: 'core.bad_order', params };
}
