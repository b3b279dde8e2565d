import { randomBytes } from 'node:crypto';
import type { Hole } from './types.ts';

/**
 * Marks places of a page that are filled in for each visitor after caching, and cuts the page there.
 *
 * Created per render: its marks contain 128 random bits unknown to any stored content, so content can neither forge a hole nor reuse a
 * leaked mark.
 */
export class HoleMarks<T = Hole> {
  /** Created with the first hole: most pages don't have any, and random bits cost time. */
  #start = '';
  readonly #holes: T[] = [];

  /** Text to print in place of the hole; only letters, digits and `-`, so it works in text and attribute values. */
  mark(hole: T): string {
    this.#start ||= `pergola-hole-${randomBytes(16).toString('hex')}-`;
    this.#holes.push(hole);
    return `${this.#start}${this.#holes.length - 1}-`;
  }

  /** The page cut into parts and the holes between them, in page order. */
  cut(html: string): { readonly parts: readonly string[]; readonly holes: readonly T[] } {
    if (this.#holes.length === 0) return { parts: [html], holes: [] };
    const parts: string[] = [];
    const holes: T[] = [];
    let from = 0;
    for (let index = html.indexOf(this.#start); index !== -1; index = html.indexOf(this.#start, from)) {
      const numberAt = index + this.#start.length;
      const end = html.indexOf('-', numberAt);
      const hole = this.#holes[Number(html.slice(numberAt, end))];
      if (end === -1 || hole === undefined)
        throw new TypeError('A mark of a hole was changed while the page was rendered.');
      parts.push(html.slice(from, index));
      holes.push(hole);
      from = end + 1;
    }
    return { parts: [...parts, html.slice(from)], holes };
  }
}
