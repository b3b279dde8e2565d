import type { Knex } from 'knex';
import type { Sql, SqlScope } from './scope.ts';

/** What is false or unknown. "Is not null" is a condition that an index serves. */
export function notTrue({ knex }: SqlScope, condition: Sql): Sql {
  const { sql } = condition.toSQL();
  const isEmpty = /^[\w."`]+ is null$/.test(sql);
  return isEmpty ? knex.raw(sql.replace(/null$/, 'not null')) : knex.raw('(?) is not true', [condition]);
}

/** Any of these conditions; never without one. */
export function anyOf({ knex }: SqlScope, parts: readonly Sql[]): Sql {
  const [only] = parts;
  if (only === undefined) return knex.raw('false');
  return parts.length === 1 ? only : knex.raw(`(${parts.map(() => '?').join(' or ')})`, [...parts]);
}

/** Gives a query these conditions. */
export function allWhere(query: Knex.QueryBuilder, conditions: readonly (Sql | null | undefined)[]): Knex.QueryBuilder {
  for (const condition of conditions) if (condition) query.where(condition);
  return query;
}

/** All of these conditions. */
export function allOf({ knex }: SqlScope, parts: readonly Sql[]): Sql {
  return knex.raw(`(${parts.map(() => '?').join(' and ')})`, [...parts]);
}
