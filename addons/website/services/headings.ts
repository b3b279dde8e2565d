import { Parser } from 'htmlparser2';
import { slugify } from 'pergola';

/** Heading in HTML that links can target. */
export interface Heading {
  readonly level: number;
  readonly id: string;
  readonly text: string;
}

interface ParsedHeading extends Heading {
  /** Position in its tag to insert an id; null if it already has one. */
  readonly at: number | null;
}

/** Headings in HTML from level 2, with their existing or generated ids. */
export function headingsOf(html: string): Heading[] {
  return parseHeadings(html).map(({ level, id, text }) => ({ level, id, text }));
}

/** Adds ids to these headings. */
export function withHeadingIds(html: string): string {
  let result = '';
  let from = 0;
  for (const { at: offset, id } of parseHeadings(html)) {
    if (offset === null) continue;
    result += `${html.slice(from, offset)} id="${id}"`;
    from = offset;
  }
  return result + html.slice(from);
}

function parseHeadings(html: string): ParsedHeading[] {
  const all: ParsedHeading[] = [];
  const takenIds = new Set<string>();
  let open: { level: number; id: string | undefined; at: number; text: string } | null = null;
  // Nesting depth inside a popup, whose headings aren't part of the page's outline.
  let popupDepth = 0;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (attributes.id !== undefined) takenIds.add(attributes.id);
      if (name === 'section' && (popupDepth > 0 || /\bs_popup\b/.test(attributes.class ?? ''))) popupDepth++;
      if (popupDepth === 0 && /^h[2-4]$/.test(name))
        open = { level: Number(name[1]), id: attributes.id, at: parser.startIndex + 3, text: '' };
    },
    ontext(text) {
      if (open) open.text += text;
    },
    onclosetag(name) {
      if (name === 'section' && popupDepth > 0) popupDepth--;
      if (!open || name !== `h${open.level}`) return;
      const text = open.text.replace(/\s+/g, ' ').trim();
      if (text !== '') {
        const id = open.id ?? freeId(text, takenIds);
        all.push({ level: open.level, id, text, at: open.id === undefined ? open.at : null });
      }
      open = null;
    },
  });
  parser.write(html);
  parser.end();
  return all;
}

/** Id generated from the words, in a form that the sanitiser keeps. */
function freeId(text: string, takenIds: Set<string>): string {
  const base = `h-${slugify(text).slice(0, 50)}`;
  for (let number = 1; ; number++) {
    const id = number === 1 ? base : `${base}-${number}`;
    if (takenIds.has(id)) continue;
    takenIds.add(id);
    return id;
  }
}
