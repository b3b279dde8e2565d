/** Marks a text for translation where it is defined, such as in a table or an error template. It is translated when it is displayed. */
export function t(text: string): string {
  return text;
}
