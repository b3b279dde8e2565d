/**
 * Marks a text that is shown to people where it is not translated yet: in a table, or in an error that is made from it. It is translated when it is
 * shown.
 */
export function t(text: string): string {
  return text;
}
