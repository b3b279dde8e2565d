/**
 * Replaces characters that don't print well: the narrow no-break space (in French and in times), which the font lacks, becomes a no-break
 * space; the thin space, which gets lost at word ends, becomes a space; characters that only prevent line breaks are removed. Leaves bytes
 * unchanged.
 */
export function printable<T>(content: T): T {
  if (typeof content === 'string')
    return content.replaceAll('\u202f', '\u00a0').replaceAll('\u2009', ' ').replaceAll('\u2060', '') as T;
  if (Array.isArray(content)) return content.map(printable) as T;
  if (typeof content !== 'object' || content === null || ArrayBuffer.isView(content)) return content;
  return Object.fromEntries(Object.entries(content).map(([name, value]) => [name, printable(value)])) as T;
}

/** Returns all texts of a document, without its pictures. */
export function textsOf(content: unknown): string[] {
  if (typeof content === 'string') return content.startsWith('data:') ? [] : [content];
  if (Array.isArray(content)) return content.flatMap(textsOf);
  if (typeof content !== 'object' || content === null || ArrayBuffer.isView(content)) return [];
  return Object.values(content).flatMap(textsOf);
}
