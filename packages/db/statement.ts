import { DatabaseMisuse } from './errors.ts';
import type { Binding } from './types.ts';

/** Properties of a statement derived from its text, which determine how to run it and how to report errors. */
export interface StatementFacts {
  readonly verb: 'select' | 'insert' | 'update' | 'delete' | 'control' | 'other';
  /** Table of an insert, update or delete; otherwise empty. */
  readonly table: string;
  /** Whether rows are returned. */
  readonly answersRows: boolean;
  /** Whether rows may change, so that their number matters. */
  readonly writes: boolean;
}

const writing =
  /^\s*(insert|update|delete|replace)\b(?:\s+or\s+\w+)?(?:\s+(?:into|from|only))*\s+(?:"\w+"\.|`\w+`\.)?["`]?(\w+)["`]?/i;
const reading = /^\s*(select|values|pragma|explain|show|fetch)\b/i;
const controlling = /^\s*(begin|start|commit|rollback|savepoint|release|set|listen)\b/i;

/** Extracts verb and table from a statement. A wrong guess about unusual SQL only costs a little time or detail in an error. */
export function inspect(sql: string): StatementFacts {
  const write = writing.exec(sql);
  if (write) {
    const verb = write[1]?.toLowerCase();
    return {
      verb: verb === 'update' || verb === 'delete' ? verb : 'insert',
      table: write[2] ?? '',
      answersRows: /\breturning\b/i.test(sql),
      writes: true,
    };
  }
  if (reading.test(sql)) return { verb: 'select', table: '', answersRows: true, writes: false };
  if (/^\s*with\b/i.test(sql)) {
    return { verb: 'select', table: '', answersRows: true, writes: /\b(insert|update|delete)\b/i.test(sql) };
  }
  return { verb: controlling.test(sql) ? 'control' : 'other', table: '', answersRows: false, writes: false };
}

/** Rejects values that a driver would silently convert: undefined, NaN, objects, integers beyond JavaScript's exact range. */
export function checkBinding(value: unknown, position: number): Binding {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      if (Number.isFinite(value)) return value;
      break;
    case 'bigint':
      if (value <= Number.MAX_SAFE_INTEGER && value >= Number.MIN_SAFE_INTEGER) return Number(value);
      break;
    case 'object':
      if (value === null) return null;
      if (value instanceof Date && !Number.isNaN(value.getTime())) return value;
      if (Array.isArray(value) && value.every((item) => typeof item === 'string' || Number.isFinite(item)))
        return value;
      break;
  }
  throw new DatabaseMisuse(
    `Binding ${position + 1} is ${describe(value)}, which no column can hold. Turn it into a value of its column with the codec first.`,
  );
}

function describe(value: unknown): string {
  if (value === undefined) return 'undefined';
  if (typeof value === 'object' && value !== null)
    return value instanceof Date ? 'an invalid date' : `an object (${value.constructor?.name})`;
  return String(value);
}
