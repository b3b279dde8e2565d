import type { Knex } from 'knex';
import type { Sql, SqlScope } from './scope.ts';

/** Negates a condition: true if it is false or unknown. "is not null" is kept simple so that an index applies. */
export function notTrue({ knex }: SqlScope, condition: Sql): Sql {
  const { sql } = condition.toSQL();
  const isEmpty = /^[\w."`]+ is null$/.test(sql);
  return isEmpty ? knex.raw(sql.replace(/null$/, 'not null')) : knex.raw('(?) is not true', [condition]);
}

/** Joins conditions with "or"; false for an empty list. */
export function anyOf({ knex }: SqlScope, parts: readonly Sql[]): Sql {
  const [only] = parts;
  if (only === undefined) return knex.raw('false');
  return parts.length === 1 ? only : knex.raw(`(${parts.map(() => '?').join(' or ')})`, [...parts]);
}

/** Adds conditions to a query. */
export function allWhere(query: Knex.QueryBuilder, conditions: readonly (Sql | null | undefined)[]): Knex.QueryBuilder {
  for (const condition of conditions) if (condition) query.where(condition);
  return query;
}

/** Joins conditions with "and". */
export function allOf({ knex }: SqlScope, parts: readonly Sql[]): Sql {
  return knex.raw(`(${parts.map(() => '?').join(' and ')})`, [...parts]);
}
