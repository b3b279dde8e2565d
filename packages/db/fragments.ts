import { postgresTypes } from './schema/ddl.ts';
import type { Binding, ColumnKind, Dialect } from './types.ts';

/**
 * `column in (?)`, the list being one binding as {@link listBinding} makes it. A list of one (`isOne`) is compared with its member, bound as it
 * is: for one of unknown length PostgreSQL makes the plan anew each time.
 */
export function inListSql(dialect: Dialect, column: string, kind: ColumnKind, isOne = false): string {
  if (isOne) return `${column} = ?`;
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
