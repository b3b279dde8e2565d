import { escapeMessageText } from '@pergola/texts';
import { DomUtils, parseDocument } from 'htmlparser2';
import type { Mustache } from '../source/mustaches.ts';
import { attributesOf, type ParsedSource } from '../source/source.ts';
import {
  type BlockPiece,
  type Branch,
  type Content,
  type ElementPiece,
  elementsIn,
  type Piece,
  textContent,
  treeOf,
} from '../source/tree.ts';

/**
 * Translation units: the parts of a source that a translator sees.
 *
 *     <p>By <b>{{author.name}}</b>{{#if date}} on {{date}}{{/if}}, <a href="/x">read it</a></p>
 *     By {name}<if> on {date}</if>, <a>read it</a>
 *
 * A unit is the text of a block-level element, or of a part of it between other blocks. Markup and conditions around words become tags in
 * it, everything without words becomes a value. If an element contains only tags (a row of links), each is a separate unit.
 */
export interface Unit {
  /** The text to translate, in the notation of `packages/texts/message.ts`. */
  readonly message: string;
  /** Range of the source it replaces. */
  readonly start: number;
  readonly end: number;
  /** Text between tags, or an attribute's value. */
  readonly kind: 'text' | 'attribute';
  /** Source ranges of its values and tags, by name. */
  readonly parts: ReadonlyMap<string, UnitPart>;
}

/** A value has one range; a tag has the ranges before and after its words. */
interface UnitPart {
  readonly open: Range;
  readonly close?: Range;
}
interface Range {
  readonly start: number;
  readonly end: number;
}

/** Elements that can be part of a sentence; all others end it. */
const inline = new Set(
  'a abbr b bdi bdo br cite code data del dfn em i img input ins kbd mark picture q s samp small span strong sub sup svg time u var wbr'.split(
    ' ',
  ),
);
/** Elements whose content isn't text for people, or that preserve whitespace. */
const untranslated = new Set(['script', 'style', 'pre', 'svg', 'template', 'textarea', 'iframe']);
const attributeNames = new Set([
  'title',
  'alt',
  'placeholder',
  'aria-label',
  'label',
  'aria-description',
  'aria-roledescription',
]);
const hasWords = /\p{L}/u;

/** All units of a source, ordered by start; they don't overlap, except for attributes inside the tags of a text. */
export function unitsOf(parsed: ParsedSource): Unit[] {
  const units: Unit[] = [];
  const root = treeOf(parsed);
  collectTexts(parsed, root, units);
  for (const element of elementsIn(root.pieces, isTranslated)) collectAttributes(parsed, element, units);
  return units.sort((a, b) => a.start - b.start || a.end - b.end);
}

function collectTexts(parsed: ParsedSource, content: Content, units: Unit[]): void {
  if (content.crossed) {
    for (const piece of content.pieces) collectRun(parsed, [piece], units);
    return;
  }
  let run: Piece[] = [];
  for (const piece of content.pieces) {
    if (isInline(piece)) run.push(piece);
    else {
      collectRun(parsed, run, units);
      collectInside(parsed, piece, units);
      run = [];
    }
  }
  collectRun(parsed, run, units);
}

/** One unit for a run of text and inline pieces, or separate units for its pieces if there are no words between them. */
function collectRun(parsed: ParsedSource, run: readonly Piece[], units: Unit[]): void {
  if (!run.some((piece) => piece.type === 'text' && hasWords.test(textOf(parsed, piece.start, piece.end)))) {
    for (const piece of run) collectInside(parsed, piece, units);
    return;
  }
  const solid = (piece: Piece): boolean =>
    piece.type === 'text' ? parsed.source.slice(piece.start, piece.end).trim() !== '' : printsOrSpeaks(parsed, piece);
  const first = run.findIndex(solid);
  const last = run.findLastIndex(solid);
  units.push(makeUnit(parsed, run.slice(first, last + 1), 'text'));
}

function collectInside(parsed: ParsedSource, piece: Piece, units: Unit[]): void {
  if (piece.type === 'block')
    for (const branch of piece.branches) collectTexts(parsed, { pieces: branch.pieces, crossed: false }, units);
  else if (piece.type === 'element' && !isKept(piece) && piece.element.name !== 'attribute')
    collectTexts(parsed, piece.content, units);
}

/** Whether a piece can be part of a sentence. */
function isInline(piece: Piece): boolean {
  if (piece.type === 'text' || piece.type === 'mustache') return true;
  if (piece.type === 'block') {
    const structural = piece.open.sigil === '#>' || piece.open.sigil === '#*';
    return !structural && piece.branches.every((branch) => branch.pieces.every(isInline));
  }
  return (
    inline.has(piece.element.name) && !piece.content.crossed && (isKept(piece) || piece.content.pieces.every(isInline))
  );
}

/** Whether an element stays untranslated: marked as such, or of a kind without text for people. */
function isKept(piece: ElementPiece): boolean {
  return !isTranslated(piece) || untranslated.has(piece.element.name);
}

function isTranslated({ element }: ElementPiece): boolean {
  return element.attribs.translate !== 'no';
}

/** Whether a piece contains words or a value; otherwise it is decoration, which is trimmed from the ends of a unit. */
function printsOrSpeaks(parsed: ParsedSource, piece: Piece): boolean {
  return piece.type === 'mustache'
    ? piece.mustache.kind !== 'comment'
    : holdsValue(parsed, piece) || speaks(parsed, piece);
}

function holdsValue(parsed: ParsedSource, piece: Piece): boolean {
  if (piece.type === 'mustache') return piece.mustache.kind !== 'comment';
  return childrenOf(piece).some((child) => holdsValue(parsed, child));
}

function speaks(parsed: ParsedSource, piece: Piece): boolean {
  if (piece.type === 'text') return hasWords.test(textOf(parsed, piece.start, piece.end));
  if (piece.type === 'element' && isKept(piece)) return false;
  return childrenOf(piece).some((child) => speaks(parsed, child));
}

function childrenOf(piece: Piece): readonly Piece[] {
  if (piece.type === 'element') return piece.content.pieces;
  return piece.type === 'block' ? piece.branches.flatMap((branch) => branch.pieces) : [];
}

function collectAttributes(parsed: ParsedSource, piece: ElementPiece, units: Unit[]): void {
  const { element, range } = piece;
  if (element.name === 'attribute') collectPatched(parsed, piece, units);
  for (const { name, valueStart, valueEnd } of attributesOf(parsed, element, range)) {
    if (attributeNames.has(name) || isTextValue(element.name, element.attribs, name))
      collectValue(parsed, valueStart, valueEnd, units);
  }
}

function isTextValue(element: string, attributes: Readonly<Record<string, string>>, name: string): boolean {
  if (name === 'content') return element === 'meta' && attributes.name === 'description';
  return name === 'value' && element === 'input' && ['submit', 'button', 'reset'].includes(attributes.type ?? '');
}

/**
 * `<attribute name="title">…</attribute>` of a patch: its content is the value. It isn't part of the regular units, since other attributes
 * aren't text.
 */
function collectPatched(parsed: ParsedSource, { element, range, content }: ElementPiece, units: Unit[]): void {
  if (attributeNames.has(element.attribs.name ?? '') && range.closeStart >= 0 && content.pieces.length > 0) {
    collectValue(parsed, range.openEnd, range.closeStart, units);
  }
}

function collectValue(parsed: ParsedSource, from: number, to: number, units: Unit[]): void {
  const { pieces, crossed } = textContent(parsed, from, to);
  if (crossed) return;
  const patchedUnits: Unit[] = [];
  collectRun(parsed, pieces, patchedUnits);
  units.push(...patchedUnits.map((unit): Unit => ({ ...unit, kind: 'attribute' })));
}

/** Visible text of a range: entities decoded, whitespace collapsed. */
function textOf({ source }: ParsedSource, start: number, end: number): string {
  const text = source.slice(start, end);
  const read = text.includes('&') ? DomUtils.textContent(parseDocument(text.replaceAll('<', '&lt;')).childNodes) : text;
  return read.replace(/[ \t\r\n\f]+/g, ' ');
}

function makeUnit(parsed: ParsedSource, pieces: readonly Piece[], kind: Unit['kind']): Unit {
  const namer = new Namer(parsed);
  const message = namer.messageOf(pieces).trim();
  const [first, last] = [pieces[0], pieces.at(-1)];
  const blankBefore =
    first?.type === 'text' ? (/^\s*/.exec(parsed.source.slice(first.start, first.end))?.[0].length ?? 0) : 0;
  const blankAfter =
    last?.type === 'text' ? (/\s*$/.exec(parsed.source.slice(last.start, last.end))?.[0].length ?? 0) : 0;
  return {
    message,
    kind,
    parts: namer.parts,
    start: (first?.start ?? 0) + blankBefore,
    end: (last?.end ?? 0) - blankAfter,
  };
}

/** Assigns names to the values and tags of a unit. */
class Namer {
  readonly parts = new Map<string, UnitPart>();
  readonly #parsed: ParsedSource;
  /** Names of values by their source, so that the same value has a single name. */
  readonly #written = new Map<string, string>();

  constructor(parsed: ParsedSource) {
    this.#parsed = parsed;
  }

  messageOf(pieces: readonly Piece[]): string {
    return pieces
      .map((piece) => this.#piece(piece))
      .join('')
      .replace(/ {2,}/g, ' ');
  }

  #piece(piece: Piece): string {
    if (piece.type === 'text') return escapeMessageText(textOf(this.#parsed, piece.start, piece.end));
    if (piece.type === 'mustache' && piece.mustache.kind === 'comment') return '';
    if (piece.type === 'mustache' || !speaks(this.#parsed, piece)) return this.#value(piece);
    if (piece.type === 'block') return this.#block(piece);
    const { range, element, content } = piece;
    const name = this.#free(element.name.replace(/[^a-z]/g, '') || 'x', 'tag');
    this.parts.set(`<${name}>`, {
      open: { start: piece.start, end: range.openEnd },
      close: { start: range.closeStart, end: piece.end },
    });
    return `<${name}>${this.messageOf(content.pieces)}</${name}>`;
  }

  #block({ branches, close, open }: BlockPiece): string {
    return branches
      .map((branch: Branch, index) => {
        const name = this.#free(index === 0 ? open.name.replace(/[^a-z]/g, '') || 'if' : 'else', 'tag');
        const isLast = index === branches.length - 1;
        const end = isLast ? { start: close.start, end: close.end } : { start: branch.end, end: branch.end };
        this.parts.set(`<${name}>`, { open: { start: branch.head.start, end: branch.head.end }, close: end });
        return `<${name}>${this.messageOf(branch.pieces)}</${name}>`;
      })
      .join('');
  }

  #value(piece: Piece): string {
    const code = this.#parsed.source.slice(piece.start, piece.end);
    const existingName = this.#written.get(code);
    if (existingName) return `{${existingName}}`;
    const name = this.#free(valueName(this.#parsed.source, piece), 'value');
    this.#written.set(code, name);
    this.parts.set(`{${name}}`, { open: { start: piece.start, end: piece.end } });
    return `{${name}}`;
  }

  #free(preferred: string, kind: 'tag' | 'value'): string {
    const isTaken = (name: string): boolean => this.parts.has(kind === 'tag' ? `<${name}>` : `{${name}}`);
    let name = preferred;
    for (let number = 2; isTaken(name); number++) name = `${preferred}${number}`;
    // reserved at once, since a tag is completed only after the tags inside it are named
    if (kind === 'tag') this.parts.set(`<${name}>`, { open: { start: 0, end: 0 } });
    return name;
  }
}

/** Name for a value: the last word of its only mustache, otherwise the element's tag name. */
function valueName(source: string, piece: Piece): string {
  const values = mustachesOf(piece).filter(({ kind }) => kind === 'value' || kind === 'partial');
  const [only] = values;
  if (only && values.length === 1) return mustacheName(source, only);
  if (piece.type === 'element') return identifier(piece.element.name);
  return piece.type === 'block' ? identifier(piece.open.name) : 'value';
}

function mustachesOf(piece: Piece): Mustache[] {
  return piece.type === 'mustache' ? [piece.mustache] : childrenOf(piece).flatMap(mustachesOf);
}

/** `{{post.title}}` → title, `{{field post "name"}}` → name, `{{money order.total order.currency}}` → total, `{{> forum.card}}` → card. */
function mustacheName(source: string, { start, end, name, sigil, kind }: Mustache): string {
  const words = source.slice(start, end).match(/"[^"]*"|'[^']*'|[^\s{}~()|&>=]+/g) ?? [];
  const params = words.slice(sigil === '>' ? 2 : 1);
  const quoted = params.find((word) => /^["']/.test(word));
  const meaningful =
    kind === 'partial' || params.length === 0
      ? name
      : name === 'field' && quoted
        ? quoted.slice(1, -1)
        : (params[0] ?? name);
  return identifier(
    meaningful
      .split(/[./]/)
      .filter((part) => part !== '')
      .at(-1) ?? 'value',
  );
}

function identifier(text: string): string {
  const name = text.replace(/\W+/g, '_').replace(/^_+|_+$/g, '');
  return /^[A-Za-z]/.test(name) ? name : `value${name}`;
}
