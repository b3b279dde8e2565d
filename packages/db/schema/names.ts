import { DatabaseMisuse } from '../errors.ts';

/** Table, column and index names that both databases accept unchanged; PostgreSQL silently truncates longer ones. */
export const validName = /^[a-z_][a-z0-9_]{0,62}$/;

/** Quotes a name for SQL. Names come from specs, never from requests; an invalid one is a bug in an addon. */
export function quoted(name: string): string {
  if (!validName.test(name)) {
    // Most likely the name of a model.
    const table = name.replaceAll('.', '_');
    const hint = validName.test(table) ? ` Did you mean “${table}”?` : '';
    throw new DatabaseMisuse(
      `“${name}” cannot name a table, column or index: lower case letters, digits and _, at most 63 of them.${hint}`,
    );
  }
  return `"${name}"`;
}

export function list(names: readonly string[]): string {
  return names.map(quoted).join(', ');
}

/** Quotes a text for SQL that takes no bindings (defaults, comments). */
export function textLiteral(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
