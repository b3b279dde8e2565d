import { codecFor } from './codec.ts';
import type { Binding, ColumnKind, Dialect } from './types.ts';

/** A piece of SQL for `knex.raw`, with `?` for each binding whatever the dialect. */
export interface Fragment {
  readonly sql: string;
  readonly bindings: readonly Binding[];
}

/** The kinds a list can hold. */
export type ListKind = Extract<ColumnKind, 'id' | 'integer' | 'bigint' | 'text' | 'date'>;

const listTypes: Readonly<Record<ListKind, string>> = {
  id: 'int8',
  integer: 'int4',
  bigint: 'int8',
  text: 'text',
  date: 'date',
};

/**
 * `column in (values)` as one binding, so that the statement stays the same, and prepared, whatever their number.
 * `column` is SQL, already quoted. An empty list matches nothing. For "not in" write `not (…)` around it.
 */
export function inList(dialect: Dialect, column: string, kind: ListKind, values: readonly unknown[]): Fragment {
  const codec = codecFor(dialect);
  const items = values.map((value) => listItem(codec.encode(kind, value)));
  if (dialect === 'sqlite')
    return { sql: `${column} in (select value from json_each(?))`, bindings: [JSON.stringify(items)] };
  return { sql: `${column} = any(?::${listTypes[kind]}[])`, bindings: [items] };
}

/** A pattern for `like ? escape '\'` that finds the text anywhere, or only at the beginning; its own % and _ mean themselves. */
export function likePattern(text: string, where: 'anywhere' | 'start' = 'anywhere'): string {
  const literal = text.replace(/[\\%_]/g, '\\$&');
  return where === 'start' ? `${literal}%` : `%${literal}%`;
}

function listItem(value: Binding): string | number {
  if (typeof value === 'string' || typeof value === 'number') return value;
  throw new TypeError('A list holds numbers or texts; look for null with "is null".');
}
