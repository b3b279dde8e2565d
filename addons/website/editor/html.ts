import { Parser } from 'htmlparser2';
import { optionClasses } from '../snippets/options.ts';

interface Cut {
  readonly start: number;
  readonly end: number;
}

/** Attributes that the editor adds while editing; not part of the content. */
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
 * Cleans edited HTML for storage: removes server-rendered block contents, editor marks, which could otherwise make a piece of the page look
 * like a record field, and unknown option classes. The sanitiser decides which HTML is allowed.
 */
export function editedHtml(html: string): string {
  let cleaned = '';
  let from = 0;
  for (const { start, end } of blockContents(html)) {
    cleaned += html.slice(from, start);
    from = end;
  }
  return withoutMarks(cleaned + html.slice(from));
}

/** Ranges between the opening and closing tags of the outermost blocks. */
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

/** Rewrites only tags with editor marks or unknown option classes. */
function withoutMarks(html: string): string {
  let rewritten = '';
  let from = 0;
  const parser = new Parser({
    onopentag(tag, attributes, implied) {
      const entries = Object.entries(attributes);
      const cleaned = entries.flatMap(([name, value]): [string, string][] => {
        if (editorAttribute.test(name)) return [];
        if (name !== 'class') return [[name, value]];
        const classes = knownClasses(value);
        return classes === '' && value !== '' ? [] : [[name, classes]];
      });
      if (
        implied ||
        (cleaned.length === entries.length && cleaned.every(([name, value]) => attributes[name] === value))
      )
        return;
      const texts = cleaned.map(
        ([name, value]) =>
          ` ${name}="${value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')}"`,
      );
      rewritten += `${html.slice(from, parser.startIndex)}<${tag}${texts.join('')}>`;
      from = parser.endIndex + 1;
    },
  });
  parser.write(html);
  parser.end();
  return rewritten + html.slice(from);
}

function knownClasses(classes: string): string {
  if (!/(^|\s)o-/.test(classes)) return classes;
  const names = classes
    .split(/\s+/)
    .filter((name) => name !== '' && (!name.startsWith('o-') || optionClasses.has(name)));
  return names.join(' ');
}
