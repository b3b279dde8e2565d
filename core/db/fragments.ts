import { codecFor } from './codec.ts';
import { postgresTypes } from './schema/ddl.ts';
import type { Binding, ColumnKind, Dialect } from './types.ts';

/** A piece of SQL for `knex.raw`, with `?` for each binding whatever the dialect. */
export interface Fragment {
  readonly sql: string;
  readonly bindings: readonly (string | number | string[] | number[])[];
}

/** The kinds a list can hold. */
export type ListKind = Extract<ColumnKind, 'id' | 'integer' | 'bigint' | 'text' | 'date'>;

/**
 * `column in (values)` as one binding, so that the statement stays the same, and prepared, whatever their number.
 * `column` is SQL, already quoted. An empty list matches nothing, and neither does null. For "not in" write `not (…)` around it.
 */
export function inList(dialect: Dialect, column: string, kind: ListKind, values: readonly unknown[]): Fragment {
  const codec = codecFor(dialect);
  const items = values.map((value) => codec.encode(kind, value)).filter((value) => value !== null);
  return { sql: inListSql(dialect, column, kind), bindings: [listBinding(dialect, items)] };
}

/** `column in (?)`, the list being one binding as {@link listBinding} makes it. */
export function inListSql(dialect: Dialect, column: string, kind: ColumnKind): string {
  return dialect === 'sqlite'
    ? `${column} in (select value from json_each(?))`
    : `${column} = any(?::${postgresTypes[kind]}[])`;
}

/** A list of encoded values as one binding. */
export function listBinding(dialect: Dialect, items: readonly Binding[]): string | string[] | number[] {
  return dialect === 'sqlite' ? JSON.stringify(items) : ([...items] as string[] | number[]);
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
