import { Parser } from 'htmlparser2';

interface Cut {
  readonly start: number;
  readonly end: number;
}

/** What the editor adds to elements while they are edited; nothing of it is content. */
const editorAttribute =
  /^(data-oe-[\w-]+|data-editing|data-ed-[\w-]+|contenteditable|tabindex|spellcheck|draggable|aria-selected)$/;
const voidElements = new Set([
  'area',
  'base',
  'br',
  'col',
  'embed',
  'hr',
  'img',
  'input',
  'link',
  'meta',
  'source',
  'track',
  'wbr',
]);

/**
 * HTML as it is to be kept: without what blocks show in it (the server fills them each time a page is shown), and without the marks of the
 * editor, which would otherwise make a piece of the page pass for a field of a record. What may stay at all is the sanitiser's matter.
 */
export function editedHtml(html: string): string {
  let kept = '';
  let from = 0;
  for (const { start, end } of blockContents(html)) {
    kept += html.slice(from, start);
    from = end;
  }
  return withoutMarks(kept + html.slice(from));
}

/** What stands between the tags of the outermost blocks. */
function blockContents(html: string): Cut[] {
  const cuts: Cut[] = [];
  let start = -1;
  let name = '';
  let depth = 0;
  const parser = new Parser({
    onopentag(tag, attributes) {
      if (start >= 0) {
        if (tag === name) depth++;
      } else if (attributes['data-block'] !== undefined && !voidElements.has(tag)) {
        [name, depth, start] = [tag, 1, parser.endIndex + 1];
      }
    },
    onclosetag(tag, implied) {
      if (start < 0 || tag !== name || --depth > 0) return;
      cuts.push({ start, end: implied ? html.length : parser.startIndex });
      start = -1;
    },
  });
  parser.write(html);
  parser.end();
  return cuts;
}

/** The same HTML, its tags written anew where they carry a mark. */
function withoutMarks(html: string): string {
  let written = '';
  let from = 0;
  const parser = new Parser({
    onopentag(tag, attributes, implied) {
      if (implied || !Object.keys(attributes).some((name) => editorAttribute.test(name))) return;
      const kept = Object.entries(attributes).filter(([name]) => !editorAttribute.test(name));
      const texts = kept.map(
        ([name, value]) =>
          ` ${name}="${value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')}"`,
      );
      written += `${html.slice(from, parser.startIndex)}<${tag}${texts.join('')}>`;
      from = parser.endIndex + 1;
    },
  });
  parser.write(html);
  parser.end();
  return written + html.slice(from);
}
