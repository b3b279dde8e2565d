import { Parser } from 'htmlparser2';
import { optionClasses } from '../snippets/options.ts';

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
 * editor, which would otherwise make a piece of the page pass for a field of a record; of the classes of options those that there are. What may
 * stay at all is the sanitiser's matter.
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

/** The same HTML, its tags written anew where they carry a mark of the editor or an option that there is not. */
function withoutMarks(html: string): string {
  let written = '';
  let from = 0;
  const parser = new Parser({
    onopentag(tag, attributes, implied) {
      const given = Object.entries(attributes);
      const kept = given.flatMap(([name, value]): [string, string][] => {
        if (editorAttribute.test(name)) return [];
        if (name !== 'class') return [[name, value]];
        const classes = knownClasses(value);
        return classes === '' && value !== '' ? [] : [[name, classes]];
      });
      if (implied || (kept.length === given.length && kept.every(([name, value]) => attributes[name] === value)))
        return;
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

function knownClasses(classes: string): string {
  if (!/(^|\s)o-/.test(classes)) return classes;
  const names = classes
    .split(/\s+/)
    .filter((name) => name !== '' && (!name.startsWith('o-') || optionClasses.has(name)));
  return names.join(' ');
}
