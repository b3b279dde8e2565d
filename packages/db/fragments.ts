import { postgresTypes } from './schema/ddl.ts';
import type { Binding, ColumnKind, Dialect } from './types.ts';

/**
 * `column in (?)`, with the list as one binding made by {@link listBinding}. A list with one member (`isOne`) becomes a comparison with an
 * unwrapped binding: for lists of unknown length, PostgreSQL plans the statement again each time.
 */
export function inListSql(dialect: Dialect, column: string, kind: ColumnKind, isOne = false): string {
  if (isOne) return `${column} = ?`;
  return dialect === 'sqlite'
    ? `${column} in (select value from json_each(?))`
    : `${column} = any(?::${postgresTypes[kind]}[])`;
}

/** Encodes a list of values as one binding. */
export function listBinding(dialect: Dialect, items: readonly Binding[]): string | string[] | number[] {
  return dialect === 'sqlite' ? JSON.stringify(items) : ([...items] as string[] | number[]);
}

/** Text of a translated column, in the first of these languages that has one. Texts compare by code point on both databases. */
export function textIn(dialect: Dialect, column: string, languages: readonly string[]): string {
  const texts = languages.map((lang) => `${column} ->> '${lang.replaceAll("'", "''")}'`);
  const expression = texts.length > 1 ? `coalesce(${texts.join(', ')})` : `(${texts[0] ?? 'null'})`;
  return dialect === 'sqlite' ? expression : `${expression} collate "C"`;
}
