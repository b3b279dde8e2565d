import { DatabaseMisuse } from '../errors.ts';

/** What both databases take as a name of a table, column or index without surprises; PostgreSQL cuts longer ones silently. */
export const validName = /^[a-z_][a-z0-9_]{0,62}$/;

/** The name in quotes, ready for SQL. Names come from specs, never from requests; a wrong one is a fault in an addon. */
export function quoted(name: string): string {
  if (!validName.test(name)) {
    // The name of a model, most likely.
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

/** A text in quotes, ready for SQL that takes no bindings (defaults, comments). */
export function textLiteral(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
