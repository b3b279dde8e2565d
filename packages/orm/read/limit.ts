import { InvalidInput } from '@pergola/core';
import { Placeholder } from '@pergola/db';
import type { Knex } from 'knex';
import type { SqlScope } from '../domain/scope.ts';
import { source } from './prepare.ts';

/** How many records, and from where on. */
export interface Window {
  readonly limit?: number;
  readonly offset?: number;
}

/** Where a query's own values stand among its sources; see `source.own`. */
export const own = { ids: 0, limit: 1, offset: 2 } as const;

/**
 * The size of a page stands in the text of its statement: SQLite parses a statement anew each time its limit is bound, even to what it was, and PostgreSQL
 * plans one for a tenth of the table. Larger ones are rare and of any size, and would only fill the memory for statements.
 */
const mostInText = 200;

/** What the text of a statement has of a window. */
export function limitKey({ limit, offset }: Window): string {
  const size = limit === undefined ? '' : isInText(limit) ? limit : 'any';
  return `${size}${offset ? 'o' : ''}`;
}

/** Gives a query its window. knex takes nothing but numbers for it: one that is bound is the index among the query's own values; see {@link windowPlaceholder}. */
export function limited<Q extends Knex.QueryBuilder>({ dialect }: SqlScope, query: Q, { limit, offset }: Window): Q {
  if (limit !== undefined && !isInText(limit)) query.limit(own.limit);
  else if (limit !== undefined) query.limit(limit, { skipBinding: true });
  // SQLite knows no offset without a limit.
  else if (offset && dialect === 'sqlite') query.limit(-1, { skipBinding: true });
  if (offset) query.offset(own.offset);
  return query;
}

/** Where the value of a limit or offset comes from. */
export function windowPlaceholder({ codec }: SqlScope, index: number): Placeholder {
  return new Placeholder(index, source.own, (value) => codec.encode('bigint', wholeCount(value)));
}

function isInText(limit: number): boolean {
  return Number.isInteger(limit) && limit >= 0 && limit <= mostInText;
}

/** A negative limit would be none at all on SQLite. */
function wholeCount(value: unknown): unknown {
  if (typeof value === 'number' && value >= 0) return value;
  throw new InvalidInput('“{value}” isn’t a valid number of records.', {
    code: 'core.bad_limit',
    params: { value: String(value).slice(0, 40) },
  });
}
