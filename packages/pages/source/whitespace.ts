import Handlebars from 'handlebars';

/** Block helper around what another addon inserts; authors can't call it. */
export const PATCH_HELPER = 'core.patch';

/** Elements in a line of text, with significant space before and after them. */
const inline = new Set(
  'a abbr audio b bdi bdo button canvas cite code data del dfn em i iframe img input ins kbd label map mark meter object output picture progress q ruby s samp select slot small span strong sub sup svg textarea time tspan u var video'.split(
    ' ',
  ),
);
/** Inline elements whose content is laid out like a block. */
const boxed = new Set(['button', 'select', 'svg', 'video', 'audio', 'object', 'canvas']);
const unseen = new Set(['link', 'meta', 'script', 'style', 'template', 'title', 'base']);
/** Elements that preserve whitespace. */
const spaced = /(<(pre|textarea|script|style)\b[\s\S]*?<\/\2\s*>)/i;

/**
 * Significance of space around and inside an element: `block` ends the line, so space at its edges is invisible; `boxed` is part of a line
 * and contains lines of its own; `unseen` isn't shown.
 */
export type Flow = 'block' | 'inline' | 'boxed' | 'unseen';

export function flowOf(name: string, attributes: Readonly<Record<string, string>>): Flow {
  if (unseen.has(name) || (name === 'input' && attributes.type === 'hidden')) return 'unseen';
  if (boxed.has(name)) return 'boxed';
  return inline.has(name) || /inline/.test(attributes.class ?? '') ? 'inline' : 'block';
}

/** The source without indentation, which is only for readers of the file. */
export function withoutIndentation(source: string): string {
  const pieces = source.split(spaced);
  // the pattern has two groups: text, whitespace-preserving element, its name, text, …
  return pieces.map((piece, index) => [piece.replace(/\n[ \t]+/g, '\n'), piece, ''][index % 3]).join('');
}

const blocks =
  'address|article|aside|blockquote|body|caption|col|colgroup|dd|details|dialog|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|head|header|hr|html|legend|li|link|main|meta|nav|noscript|ol|optgroup|option|p|section|summary|table|tbody|td|tfoot|th|thead|tr|ul';
const beforeBlock = new RegExp(`\\s*\\n\\s*(?=</?(?:${blocks})\\b(?![^<>]*inline)|</(?:button|select)>)`, 'g');
const insideBlock = new RegExp(`(<(?:${blocks}|button|select)(?:\\s(?![^<>]*inline)[^<>]*)?>)\\s*\\n\\s*`, 'g');

/**
 * Removes line breaks from a parsed template at the edges of block-level elements, where they are invisible. Line breaks in a tag or
 * between words become spaces.
 */
export function withoutLineBreaks(program: hbs.AST.Program): hbs.AST.Program {
  new LineBreaks().accept(program);
  return program;
}

class LineBreaks extends Handlebars.Visitor {
  /** Start of a tag that isn't complete because it contains a mustache. */
  #tag = '';
  /** Surrounding element that preserves whitespace, if any. */
  #spaced = '';

  override Program(program: hbs.AST.Program): void {
    for (const [index, statement] of program.body.entries()) {
      if (program.body[index - 1]?.type === 'BlockStatement') this.#keepApart(statement as hbs.AST.ContentStatement);
      this.accept(statement);
      const next = program.body[index + 1];
      if (statement.type === 'ContentStatement' && next?.type === 'BlockStatement')
        this.#moveSpace(statement as hbs.AST.ContentStatement, next as hbs.AST.BlockStatement);
    }
    for (const [index, statement] of program.body.entries()) {
      const before = program.body[index - 1];
      if (before?.type === 'ContentStatement' && statement.type === 'BlockStatement')
        joinMark(before as hbs.AST.ContentStatement, statement as hbs.AST.BlockStatement);
    }
  }

  /** Moves the space before a conditional attribute into the condition. */
  #moveSpace(before: hbs.AST.ContentStatement, { program, inverse }: hbs.AST.BlockStatement): void {
    if (!this.#isInTag() || !this.#tag.endsWith(' ') || !before.value.endsWith(' ')) return;
    before.value = before.value.slice(0, -1);
    this.#tag = this.#tag.slice(0, -1);
    for (const branch of [program, inverse]) {
      const [first] = branch?.body ?? [];
      if (first) branch?.body.unshift(Object.assign({ ...before }, { value: ' ', original: ' ' }));
    }
  }

  /** Handlebars removes the line break after a standalone block, so that the next attribute would touch the previous one. */
  #keepApart(after: hbs.AST.ContentStatement): void {
    if (after.type !== 'ContentStatement' || !this.#isInTag()) return;
    if (/^\s/.test(String(after.original)) && /^[^\s/>]/.test(after.value)) after.value = ` ${after.value}`;
  }

  /** Whether the text so far ends inside a tag, outside its values. */
  #isInTag(): boolean {
    return this.#tag !== '' && this.#tag.split('"').length % 2 === 1;
  }

  override ContentStatement(content: hbs.AST.ContentStatement): void {
    const text = this.#tag + content.value;
    let clean = '';
    for (const piece of text.split(/(?=<\/?(?:pre|textarea|script|style)\b)/i)) {
      const [, end, name = ''] = /^<(\/?)(pre|textarea|script|style)\b/i.exec(piece) ?? [];
      if (name && !this.#spaced && !end) this.#spaced = name;
      else if (end && name === this.#spaced) this.#spaced = '';
      clean += this.#spaced ? piece : withoutBreaks(piece);
    }
    const tag = /<[a-z][^<>]*$/i.exec(text)?.[0] ?? '';
    // The preceding value may be text.
    if (!this.#tag) clean = clean.replace(/^\n+(?=<)/, ' ');
    content.value = (tag ? clean.replace(/\n+$/, ' ') : clean).slice(this.#tag.length);
    this.#tag = tag.replace(/\s+/g, ' ');
  }
}

/** Removes line breaks before marked content as if it weren't marked. */
function joinMark(before: hbs.AST.ContentStatement, { path, program }: hbs.AST.BlockStatement): void {
  const [first] = program.body;
  if (!('original' in path) || path.original !== PATCH_HELPER || first?.type !== 'ContentStatement') return;
  const tag = /^<[^<>\n]*>?/.exec((first as hbs.AST.ContentStatement).value)?.[0] ?? '';
  const joined = withoutBreaks(before.value + tag);
  if (tag !== '' && joined.endsWith(tag)) before.value = joined.slice(0, -tag.length);
}

function withoutBreaks(text: string): string {
  return text
    .replace(beforeBlock, '')
    .replace(insideBlock, '$1')
    .replace(/\n+(?=\/?>)/g, '')
    .replace(/(?<!>)\n+(?=[^<\s])/g, ' ');
}
