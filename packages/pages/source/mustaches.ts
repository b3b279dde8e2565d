/**
 * Positions of the mustaches in a Handlebars source, and the same source without them.
 *
 *     source  <a href="/x/{{id}}" {{#if on}}class="y"{{/if}}>{{name}}</a>
 *     html    <a href="/x/m1q8z2"            class="y"       >        </a>
 *
 * Both have the same length, so offsets in `html` apply to `source`.
 */
export interface Mustache {
  readonly start: number;
  /** The offset after its last character. */
  readonly end: number;
  readonly kind: MustacheKind;
  /** First word after the sigil, without quotes: a helper, a path, or a partial's name. */
  readonly name: string;
  /** Its prefix: `#`, `^`, `/`, `#>`, `#*`, `>`, `*`, `&`, `{`, `!` or empty. */
  readonly sigil: string;
  readonly place: Place;
}

/** `literal` is escaped by a backslash and shown unchanged; `raw` is a `{{{{raw}}}}` block with its content. */
type MustacheKind = 'open' | 'else' | 'close' | 'value' | 'partial' | 'comment' | 'raw' | 'literal';

/** In text; in a tag, outside quoted values; in a quoted value; in a comment, script or other text that isn't markup. */
type Place = 'text' | 'tag' | 'quoted' | 'opaque';

export interface Masked {
  readonly html: string;
  readonly mustaches: readonly Mustache[];
}

/** Error for a source that can't be parsed, with its `offset`. */
export class SourceError extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.name = 'SourceError';
    this.offset = offset;
  }
}

/** Elements whose content is text without tags. */
const textElement = /^<(script|style|textarea|title|xmp|iframe|noembed|noframes)(?![\w-])/i;
const nameCharacter = /[\w:@.-]/;

/** Finds and masks the mustaches. Throws a SourceError for an unclosed one. */
export function maskMustaches(source: string): Masked {
  const mustaches: Mustache[] = [];
  const pieces: string[] = [];
  const html = new HtmlState(source);
  let from = 0;
  let offset = 0;
  while (offset < source.length) {
    if (source.charCodeAt(offset) !== 123 || source.charCodeAt(offset + 1) !== 123) {
      html.step(offset++);
      continue;
    }
    const mustache: Mustache = { ...readMustache(source, offset), place: html.place };
    mustaches.push(mustache);
    pieces.push(source.slice(from, offset), maskOf(source, mustache, html.inTagName));
    html.skip(mustache);
    offset = from = mustache.end;
  }
  pieces.push(source.slice(from));
  return { html: pieces.join(''), mustaches };
}

/** Tracks the markup character by character, as far as needed to classify the place of a mustache. */
class HtmlState {
  place: Place = 'text';
  /** Whether the tag's name is still being read. */
  inTagName = false;
  readonly #source: string;
  #quote = '';
  /** End marker of text that isn't markup. */
  #until = '';
  /** Element whose text content starts after its opening tag. */
  #textElement = '';
  /** Whether the last non-space character in the tag was an equals sign. */
  #afterEquals = false;

  constructor(source: string) {
    this.#source = source;
  }

  step(offset: number): void {
    const character = this.#source[offset] ?? '';
    if (this.place === 'text') this.#text(character, offset);
    else if (this.place === 'tag') this.#tag(character);
    else if (this.place === 'quoted') {
      if (character === this.#quote) this.place = 'tag';
    } else if (character === this.#until[0] && this.#ends(offset)) this.#leaveOpaque();
  }

  skip(mustache: Mustache): void {
    this.#afterEquals = false;
    if (mustache.kind === 'open' || mustache.kind === 'close') this.inTagName = false;
  }

  #text(character: string, offset: number): void {
    if (character !== '<') return;
    if (this.#source.startsWith('<!--', offset)) {
      this.place = 'opaque';
      this.#until = '-->';
    } else if (/[A-Za-z/!{?]/.test(this.#source[offset + 1] ?? '')) {
      this.place = 'tag';
      this.inTagName = true;
      this.#afterEquals = false;
      this.#textElement = textElement.exec(this.#source.slice(offset, offset + 12))?.[1] ?? '';
    }
  }

  #tag(character: string): void {
    if (character === '>') {
      this.place = this.#textElement ? 'opaque' : 'text';
      this.#until = `</${this.#textElement.toLowerCase()}`;
      this.#textElement = '';
      this.inTagName = false;
    } else if ((character === '"' || character === "'") && this.#afterEquals) {
      this.place = 'quoted';
      this.#quote = character;
      this.#afterEquals = false;
    } else if (/\s/.test(character)) this.inTagName = false;
    else this.#afterEquals = character === '=';
  }

  #ends(offset: number): boolean {
    return this.#source.slice(offset, offset + this.#until.length).toLowerCase() === this.#until;
  }

  #leaveOpaque(): void {
    // the end of a comment isn't a tag; the end tag of a text element is
    this.place = this.#until === '-->' ? 'text' : 'tag';
    this.inTagName = this.place === 'tag';
    this.#afterEquals = false;
  }
}

function readMustache(source: string, start: number): Omit<Mustache, 'place'> {
  const raw = /^\{\{\{\{\s*([\w./-]+)[^}]*\}\}\}\}/.exec(source.slice(start, start + 400));
  if (raw) return readRawBlock(source, start, raw[1] ?? '');
  const escaped = source[start - 1] === '\\' && source[start - 2] !== '\\';
  const comment = /^\{\{~?!/.test(source.slice(start, start + 4));
  const end = comment ? endOfComment(source, start) : endOfMustache(source, start);
  if (comment) return { start, end, kind: 'comment', name: '', sigil: '!' };
  const words = /^\{\{(\{|&)?~?\s*(#\*|#>|[#^/>*]|else(?=[\s~}]))?\s*([^\s}~]*)/.exec(source.slice(start, end));
  const sigil = words?.[1] ?? words?.[2] ?? '';
  const name = (words?.[3] ?? '').replace(/^(["'])(.*)\1$/, '$2');
  return { start, end, name, sigil, kind: escaped ? 'literal' : kindOf(sigil, name) };
}

function kindOf(sigil: string, name: string): MustacheKind {
  if (sigil === '/') return 'close';
  if (sigil === 'else' || (sigil === '^' && name === '')) return 'else';
  if (sigil === '>') return 'partial';
  return sigil.startsWith('#') || sigil === '^' ? 'open' : 'value';
}

function readRawBlock(source: string, start: number, name: string): Omit<Mustache, 'place'> {
  const close = `{{{{/${name}}}}}`;
  const offset = source.indexOf(close, start);
  if (offset < 0) throw new SourceError(`The raw block "${name}" is not closed`, start);
  return { start, end: offset + close.length, kind: 'raw', name, sigil: '{{' };
}

function endOfComment(source: string, start: number): number {
  const long = /^\{\{~?!--/.test(source.slice(start, start + 6));
  const close = long ? /--~?\}\}/g : /\}\}/g;
  close.lastIndex = start + 2;
  const match = close.exec(source);
  if (!match) throw new SourceError('A comment is not closed', start);
  return match.index + match[0].length;
}

/** Braces inside strings and `[segments]` don't close a mustache. */
function endOfMustache(source: string, start: number): number {
  const close = source.startsWith('{{{', start) ? '}}}' : '}}';
  let offset = start + close.length;
  while (offset < source.length && !source.startsWith(close, offset)) {
    const character = source[offset++];
    if (character === '[') offset = after(source, ']', offset);
    else if (character === '"' || character === "'") offset = after(source, character, offset);
  }
  if (offset >= source.length) throw new SourceError('A mustache is not closed', start);
  return offset + close.length;
}

function after(source: string, mark: string, from: number): number {
  let offset = source.indexOf(mark, from);
  while (offset > 0 && source[offset - 1] === '\\') offset = source.indexOf(mark, offset + 1);
  return offset < 0 ? source.length : offset + 1;
}

/**
 * Replacement for a mustache in the masked source: spaces if it prints no text of its own; a word if it is part of a name or value. The
 * same mustache gets the same word, so that `<{{tag}}>` and `</{{tag}}>` still match.
 */
function maskOf(source: string, mustache: Mustache, inTagName: boolean): string {
  const { start, end, kind, place } = mustache;
  const silent = kind === 'open' || kind === 'close' || kind === 'else' || kind === 'comment';
  const length = end - start;
  // `<input{{#if on}} checked{{/if}}>`: the block ends the name
  const isName = inTagName && /[</]/.test(source[start - 1] ?? '');
  if (place === 'text' || place === 'opaque' || (silent && !isName)) return ' '.repeat(length);
  let hash = 5381;
  for (let index = start; index < end; index++) hash = ((hash * 33) ^ source.charCodeAt(index)) >>> 0;
  const word = `m${hash.toString(36)}`.padEnd(length, '-').slice(0, length);
  const glued = place === 'tag' && kind === 'partial' && nameCharacter.test(source[end] ?? '');
  return glued ? `${word.slice(0, -1)} ` : word;
}
