/**
 * A document with characters that are printed as they are meant: the narrow space of French and of times, which the font lacks, becomes a no-break
 * space; the thin one, which is lost where a word ends, a space; what only tells where lines may not break goes. Bytes stay what they are.
 */
export function printable<T>(content: T): T {
  if (typeof content === 'string')
    return content.replaceAll('\u202f', '\u00a0').replaceAll('\u2009', ' ').replaceAll('\u2060', '') as T;
  if (Array.isArray(content)) return content.map(printable) as T;
  if (typeof content !== 'object' || content === null || ArrayBuffer.isView(content)) return content;
  return Object.fromEntries(Object.entries(content).map(([name, value]) => [name, printable(value)])) as T;
}

/** All texts of a document, without its pictures. */
export function textsOf(content: unknown): string[] {
  if (typeof content === 'string') return content.startsWith('data:') ? [] : [content];
  if (Array.isArray(content)) return content.flatMap(textsOf);
  if (typeof content !== 'object' || content === null || ArrayBuffer.isView(content)) return [];
  return Object.values(content).flatMap(textsOf);
}
