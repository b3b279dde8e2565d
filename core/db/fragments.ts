import { codecFor } from './codec.ts';
import type { ColumnKind, Dialect } from './types.ts';

/** A piece of SQL for `knex.raw`, with `?` for each binding whatever the dialect. */
export interface Fragment {
  readonly sql: string;
  readonly bindings: readonly (string | number | string[] | number[])[];
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
 * `column` is SQL, already quoted. An empty list matches nothing, and neither does null. For "not in" write `not (…)` around it.
 */
export function inList(dialect: Dialect, column: string, kind: ListKind, values: readonly unknown[]): Fragment {
  const codec = codecFor(dialect);
  const items = values.map((value) => codec.encode(kind, value)).filter((value) => value !== null);
  if (dialect === 'sqlite') {
    return { sql: `${column} in (select value from json_each(?))`, bindings: [JSON.stringify(items)] };
  }
  const isText = kind === 'text' || kind === 'date';
  return {
    sql: `${column} = any(?::${listTypes[kind]}[])`,
    bindings: [isText ? items.map(String) : items.map(Number)],
  };
}

/** The text of a column that holds it in several languages: in the first of these in which there is one. Texts compare by code point on both databases. */
export function textIn(dialect: Dialect, column: string, languages: readonly string[]): string {
  const texts = languages.map((lang) => `${column} ->> '${lang.replaceAll("'", "''")}'`);
  const found = texts.length > 1 ? `coalesce(${texts.join(', ')})` : `(${texts[0] ?? 'null'})`;
  return dialect === 'sqlite' ? found : `${found} collate "C"`;
}

/** A pattern for `like ? escape '\'` that finds the text anywhere, or only at the beginning; its own % and _ mean themselves. */
export function likePattern(text: string, where: 'anywhere' | 'start' = 'anywhere'): string {
  const literal = text.replace(/[\\%_]/g, '\\$&');
  return where === 'start' ? `${literal}%` : `%${literal}%`;
}
