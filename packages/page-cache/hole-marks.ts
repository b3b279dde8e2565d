import { randomBytes } from 'node:crypto';
import type { Hole } from './types.ts';

/**
 * Marks places of a page that are filled in for each visitor after the cache, and cuts the page there.
 *
 * One for each render: its marks hold 128 random bits that nothing stored before could know, so content can neither forge a hole nor, should
 * it ever get to see a mark, use it again.
 */
export class HoleMarks<T = Hole> {
  /** Made with the first hole: most pages have none, and random bits are not free. */
  #start = '';
  readonly #holes: T[] = [];

  /** The text to print where the hole is; letters, digits and `-` only, so it stands in texts and attribute values alike. */
  mark(hole: T): string {
    this.#start ||= `pergola-hole-${randomBytes(16).toString('hex')}-`;
    this.#holes.push(hole);
    return `${this.#start}${this.#holes.length - 1}-`;
  }

  /** The page as its parts and the holes between them, in the order of the page. */
  cut(html: string): { readonly parts: readonly string[]; readonly holes: readonly T[] } {
    if (this.#holes.length === 0) return { parts: [html], holes: [] };
    const parts: string[] = [];
    const holes: T[] = [];
    let from = 0;
    for (let at = html.indexOf(this.#start); at !== -1; at = html.indexOf(this.#start, from)) {
      const numberAt = at + this.#start.length;
      const end = html.indexOf('-', numberAt);
      const hole = this.#holes[Number(html.slice(numberAt, end))];
      if (end === -1 || hole === undefined)
        throw new TypeError('A mark of a hole was changed while the page was rendered.');
      parts.push(html.slice(from, at));
      holes.push(hole);
      from = end + 1;
    }
    return { parts: [...parts, html.slice(from)], holes };
  }
}
