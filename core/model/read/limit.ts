import { InvalidInput } from '../../base/errors.ts';
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

/** SQLite knows no offset without a limit. */
export function limitSql(scope: SqlScope, { limit, offset }: Window): string {
  const bind = (index: number) =>
    scope.bind(source.own, index, (value) => scope.codec.encode('bigint', wholeCount(value)));
  const parts: string[] = [];
  if (limit !== undefined) parts.push(`limit ${isInText(limit) ? limit : bind(own.limit)}`);
  else if (offset && scope.dialect === 'sqlite') parts.push('limit -1');
  if (offset) parts.push(`offset ${bind(own.offset)}`);
  return parts.join(' ');
}

function isInText(limit: number): boolean {
  return Number.isInteger(limit) && limit >= 0 && limit <= mostInText;
}

/** A negative limit would be none at all on SQLite. */
function wholeCount(value: unknown): unknown {
  if (typeof value === 'number' && value >= 0) return value;
  throw new InvalidInput('“{value}” is not how many records there may be.', {
    code: 'core.bad_limit',
    params: { value: String(value).slice(0, 40) },
  });
}
