import type { Document, Element } from 'domhandler';
import { parseDocument } from 'htmlparser2';
import { type Masked, type Mustache, maskMustaches } from './mustaches.ts';

/** A Handlebars source parsed as markup: its mustaches, and its elements with their positions. */
export interface ParsedSource extends Masked {
  readonly source: string;
  readonly document: Document;
  /** Line number of an offset, from 1. */
  lineAt(offset: number): number;
}

/** Elements without end tags. */
export const voidElements = /^(area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/;

/** Parses a source; throws a SourceError for an unclosed mustache. */
export function parseSource(source: string): ParsedSource {
  const masked = maskMustaches(source);
  const document = parseDocument(masked.html, {
    withStartIndices: true,
    withEndIndices: true,
    lowerCaseTags: false,
    lowerCaseAttributeNames: false,
    recognizeSelfClosing: true,
  });
  return { source, ...masked, document, lineAt: (offset) => lineAt(source, offset) };
}

export function lineAt(source: string, offset: number): number {
  let line = 1;
  for (let index = source.indexOf('\n'); index >= 0 && index < offset; index = source.indexOf('\n', index + 1)) line++;
  return line;
}

/**
 * Position of an element:
 *
 *     <p class="x">text</p>
 *     ^start       ^openEnd
 *                      ^closeStart
 *                          ^end
 */
export interface ElementRange {
  readonly start: number;
  readonly openEnd: number;
  /** -1 without an end tag. */
  readonly closeStart: number;
  readonly end: number;
  /** Without content: `<br>`, or `<path/>` inside an svg. */
  readonly empty: boolean;
}

export function rangeOf({ html }: ParsedSource, element: Element): ElementRange {
  const start = element.startIndex ?? 0;
  const end = (element.endIndex ?? start) + 1;
  const openEnd = endOfTag(html, start);
  const empty = voidElements.test(element.name) || html[openEnd - 2] === '/';
  const close = html.lastIndexOf('</', end - 1);
  const hasEndTag = !empty && close >= openEnd && html.slice(close + 2, end - 1).trimEnd() === element.name;
  return { start, openEnd, closeStart: hasEndTag ? close : -1, end, empty };
}

function endOfTag(html: string, start: number): number {
  let quote = '';
  let afterEquals = false;
  for (let offset = start; offset < html.length; offset++) {
    const character = html[offset] ?? '';
    if (quote) {
      if (character === quote) quote = '';
    } else if (character === '>') return offset + 1;
    else if (afterEquals && (character === '"' || character === "'")) quote = character;
    if (!/\s/.test(character)) afterEquals = character === '=';
  }
  return html.length;
}

/** Whether every block opened in a range is closed in it, and no `{{else}}` of an outer block lies in it: only such ranges can be moved. */
export function isBalanced(mustaches: readonly Mustache[], from: number, to: number): boolean {
  let depth = 0;
  for (let index = firstFrom(mustaches, from); index < mustaches.length; index++) {
    const mustache = mustaches[index];
    if (!mustache || mustache.end > to) break;
    if (mustache.kind === 'open') depth++;
    else if (mustache.kind === 'close' && --depth < 0) return false;
    else if (mustache.kind === 'else' && depth === 0) return false;
  }
  return depth === 0;
}

/** Mustaches inside a range. */
export function within(mustaches: readonly Mustache[], from: number, to: number): Mustache[] {
  const inside: Mustache[] = [];
  for (let index = firstFrom(mustaches, from); index < mustaches.length; index++) {
    const mustache = mustaches[index];
    if (!mustache || mustache.end > to) break;
    inside.push(mustache);
  }
  return inside;
}

function firstFrom(mustaches: readonly Mustache[], from: number): number {
  let [low, high] = [0, mustaches.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((mustaches[middle]?.start ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** An attribute in an opening tag. */
export interface AttributeRange {
  readonly name: string;
  /** Start of its name. */
  readonly start: number;
  /** End of its value. */
  readonly end: number;
  /** The value without its quotes; both are `end` for an attribute without one. */
  readonly valueStart: number;
  readonly valueEnd: number;
  readonly quoted: boolean;
}

export function attributesOf(
  { html }: ParsedSource,
  element: Element,
  { start, openEnd }: ElementRange,
): AttributeRange[] {
  const ranges: AttributeRange[] = [];
  const pattern = /([^\s=/>]+)(\s*=\s*("[^"]*"|'[^']*'|[^\s>]+))?/g;
  const tag = html.slice(0, openEnd - 1);
  pattern.lastIndex = start + 1 + element.name.length;
  for (let match = pattern.exec(tag); match; match = pattern.exec(tag)) {
    const [attributeText, name = '', , value] = match;
    const end = match.index + attributeText.length;
    const quoted = value !== undefined && /^["']/.test(value);
    const inner = quoted ? 1 : 0;
    const valueStart = end - (value?.length ?? 0) + inner;
    ranges.push({ name, start: match.index, end, valueStart, valueEnd: end - inner, quoted });
  }
  return ranges;
}
