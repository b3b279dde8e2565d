import { InvalidInput } from '@pergola/core';
import { Placeholder } from '@pergola/db';
import type { Knex } from 'knex';
import type { SqlScope } from '../domain/scope.ts';
import { source } from './prepare.ts';

/** Number of records, and position of the first. */
export interface Window {
  readonly limit?: number;
  readonly offset?: number;
}

/** Positions of a query's own values in their source; see `source.own`. */
export const ownIndex = { ids: 0, limit: 1, offset: 2 } as const;

/**
 * Small limits are part of a statement's text: SQLite parses a statement again each time its limit is bound, even to the same value, and
 * PostgreSQL plans a bound limit for a tenth of the table. Larger limits are rare and arbitrary, and would only fill the statement cache.
 */
const maxInText = 200;

/** The window's part of a statement's cache key. */
export function limitKey({ limit, offset }: Window): string {
  const size = limit === undefined ? '' : isInText(limit) ? limit : 'any';
  return `${size}${offset ? 'o' : ''}`;
}

/**
 * Adds the window to a query. knex only accepts numbers: a bound limit is passed as its index among the query's own values; see {@link
 * windowPlaceholder}.
 */
export function limited<Q extends Knex.QueryBuilder>({ dialect }: SqlScope, query: Q, { limit, offset }: Window): Q {
  if (limit !== undefined && !isInText(limit)) query.limit(ownIndex.limit);
  else if (limit !== undefined) query.limit(limit, { skipBinding: true });
  // SQLite doesn't support an offset without a limit.
  else if (offset && dialect === 'sqlite') query.limit(-1, { skipBinding: true });
  if (offset) query.offset(ownIndex.offset);
  return query;
}

/** Returns the placeholder for a limit or offset. */
export function windowPlaceholder({ codec }: SqlScope, index: number): Placeholder {
  return new Placeholder(index, source.own, (value) => codec.encode('bigint', wholeCount(value)));
}

function isInText(limit: number): boolean {
  return Number.isInteger(limit) && limit >= 0 && limit <= maxInText;
}

/** Rejects negative limits, which SQLite treats as no limit. */
function wholeCount(value: unknown): unknown {
  if (typeof value === 'number' && value >= 0) return value;
  throw new InvalidInput('“{value}” isn’t a valid number of records.', {
    code: 'core.bad_limit',
    params: { value: String(value).slice(0, 40) },
  });
}
