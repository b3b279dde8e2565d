import type { Mustache } from '@pergola/pages';
import {
  attributesOf,
  type BlockPiece,
  type Content,
  type ElementPiece,
  type Flow,
  flowOf,
  type ParsedSource,
  type Piece,
  treeOf,
} from '@pergola/pages';

/** A template as the formatter sees it: words, mustaches, elements and blocks, each with the whitespace before it. */
export type Node = Word | Mark | Markup | ElementNode | BlockNode;
interface Spaced {
  /** The whitespace before it, as written. */
  before: Gap;
  /** Whether whitespace before it is invisible, so that it can be added or removed. */
  free: boolean;
  /** Whether there is whitespace before it, or could be. */
  loose: boolean;
  /** Whether its line break belongs to the line before it, which Handlebars removes. */
  stripped: boolean;
}
/** No whitespace, a space, or whitespace with a line break. */
type Gap = '' | ' ' | '\n';
interface Word extends Spaced {
  readonly type: 'word';
  readonly text: string;
}
/** A value, a partial or a comment. */
interface Mark extends Spaced {
  readonly type: 'mark';
  readonly text: string;
  readonly mustache: Mustache;
}
/** Kept as written: a doctype or an HTML comment. */
interface Markup extends Spaced {
  readonly type: 'markup';
  readonly text: string;
}
export interface ElementNode extends Spaced {
  readonly type: 'element';
  readonly name: string;
  readonly flow: Flow;
  /** From `<` to the `>` of the opening tag. */
  readonly openTag: string;
  readonly closeTag: string;
  /** A string if it must not be changed. */
  readonly content: List | string;
}
export interface BlockNode extends Spaced {
  readonly type: 'block';
  readonly name: string;
  readonly sigil: string;
  readonly branches: readonly { readonly head: string; readonly list: List }[];
  readonly closeTag: string;
}
export interface List {
  readonly nodes: Node[];
  readonly tail: Spaced;
}

const bound = { free: false, loose: false, stripped: false };

/** Elements whose content isn't formatted. `attribute` isn't HTML: patches use it, and its content is the value. */
export const untouched = new Set(['pre', 'textarea', 'script', 'style', 'attribute', 'title']);
/** Blocks that show their content at most once. */
export const conditions = new Set(['if', 'unless', 'with', 'group', 'eq', 'not', 'and', 'or']);

export function readTree(parsed: ParsedSource): List {
  const list = listOf(parsed, treeOf(parsed), 0, parsed.source.length);
  if (typeof list === 'string') throw new Error('A block starts inside an element and ends outside of it.');
  forward(list, false);
  backward(list, false);
  return list;
}

/** The nodes between two offsets, or the source text if a block starts inside an element and ends outside of it. */
function listOf(parsed: ParsedSource, { pieces, crossed }: Content, from: number, to: number): List | string {
  if (crossed) return parsed.source.slice(from, to);
  const nodes: Node[] = [];
  let gap: Gap = '';
  let offset = from;
  const text = (start: number, end: number): void => {
    for (const [run] of parsed.source.slice(start, end).matchAll(/\s+|\S+/g)) {
      if (/\S/.test(run)) append({ type: 'word', text: run, before: gap, ...bound });
      else gap = run.includes('\n') ? '\n' : ' ';
    }
  };
  const append = (node: Node): void => {
    nodes.push(node);
    gap = '';
  };
  for (const piece of pieces) {
    // the tree omits comments and doctypes
    if (piece.start > offset)
      append({ type: 'markup', text: parsed.source.slice(offset, piece.start).trim(), before: gap, ...bound });
    if (piece.type === 'text') text(piece.start, piece.end);
    else append(nodeOf(parsed, piece, gap));
    offset = piece.end;
  }
  if (offset < to) append({ type: 'markup', text: parsed.source.slice(offset, to).trim(), before: gap, ...bound });
  return { nodes, tail: { before: gap, ...bound } };
}

function nodeOf(parsed: ParsedSource, piece: Exclude<Piece, { type: 'text' }>, gap: Gap): Node {
  if (piece.type === 'element') return elementOf(parsed, piece, gap);
  if (piece.type === 'block') return blockOf(parsed, piece, gap);
  const text = parsed.source.slice(piece.start, piece.end);
  return { type: 'mark', text, mustache: piece.mustache, before: gap, ...bound };
}

function elementOf(parsed: ParsedSource, { element, range, end, content }: ElementPiece, gap: Gap): ElementNode {
  const { start, openEnd, closeStart, empty } = range;
  const innerEnd = closeStart < 0 ? end : closeStart;
  const asWritten = untouched.has(element.name) || (!empty && closeStart < 0);
  return {
    type: 'element',
    name: element.name,
    flow: inSvg(element.parent) ? 'block' : flowOf(element.name, writtenAttributes(parsed, element, range)),
    openTag: parsed.source.slice(start, openEnd),
    content: asWritten ? parsed.source.slice(openEnd, innerEnd) : listOf(parsed, content, openEnd, innerEnd),
    closeTag: parsed.source.slice(innerEnd, end),
    before: gap,
    ...bound,
  };
}

/** Attributes with their mustaches, which are masked in the parsed ones. */
function writtenAttributes(
  parsed: ParsedSource,
  element: ElementPiece['element'],
  range: ElementPiece['range'],
): Record<string, string> {
  const attributes = attributesOf(parsed, element, range);
  return Object.fromEntries(
    attributes.map(({ name, valueStart, valueEnd }) => [name, parsed.source.slice(valueStart, valueEnd)]),
  );
}

function inSvg(parent: unknown): boolean {
  return (
    typeof parent === 'object' &&
    parent !== null &&
    'name' in parent &&
    /^(svg|g|defs|symbol)$/.test(String(parent.name))
  );
}

function blockOf(parsed: ParsedSource, { open, close, branches }: BlockPiece, gap: Gap): BlockNode {
  return {
    type: 'block',
    name: open.name,
    sigil: open.sigil,
    branches: branches.map((branch) => {
      const list = listOf(parsed, { pieces: branch.pieces, crossed: false }, branch.start, branch.end);
      return {
        head: parsed.source.slice(branch.head.start, branch.head.end),
        list: typeof list === 'string' ? { nodes: [], tail: { before: '', ...bound } } : list,
      };
    }),
    closeTag: parsed.source.slice(close.start, close.end),
    before: gap,
    ...bound,
  };
}

/** Whether a node is invisible, so that its neighbours touch. */
export function isUnseen(node: Node): boolean {
  if (node.type === 'mark') return node.mustache.kind === 'comment' || node.mustache.name === 'csrf';
  return node.type === 'element' && node.flow === 'unseen';
}

/** Marks where whitespace is invisible because of what always comes before: a block-level tag, or other whitespace. */
function forward({ nodes, tail }: List, start: boolean, inBlock = false): boolean {
  let free = start;
  let stripped = inBlock;
  for (const node of [...nodes, tail]) {
    node.free ||= free;
    // Handlebars removes the line break after a node that is alone on its line
    if (node.before === ' ' || (node.before && !stripped)) free = true;
    node.loose ||= free;
    node.stripped = stripped && node.before === '\n';
    if (node === tail) break;
    stripped = isAlone(node as Node);
    free = isFreeBeyond(node as Node, free, forward);
  }
  return free;
}

/** Whether Handlebars may remove the line in which a node ends. */
function isAlone(node: Node): boolean {
  if (node.type === 'block') return node.branches.at(-1)?.list.tail.before === '\n';
  return node.type === 'mark' && node.mustache.kind !== 'value';
}

/** The same for what always comes after. */
function backward({ nodes, tail }: List, end: boolean): boolean {
  tail.free ||= end;
  tail.loose ||= end;
  let free = end || tail.before !== '';
  for (const node of nodes.toReversed()) {
    free = isFreeBeyond(node, free, backward);
    node.free ||= free;
    node.loose ||= free;
    if (node.before) free = true;
  }
  return free;
}

/** Whether whitespace on the far side of a node is invisible, given `free` on the near side. */
function isFreeBeyond(
  node: Node,
  free: boolean,
  into: (list: List, free: boolean, inBlock?: boolean) => boolean,
): boolean {
  if (node.type === 'element') {
    if (typeof node.content !== 'string') into(node.content, node.flow !== 'inline');
    return node.flow === 'block' || (node.flow === 'unseen' && free);
  }
  if (node.type !== 'block') return (node.type === 'markup' && /^<!d/i.test(node.text)) || (isUnseen(node) && free);
  if (node.sigil.startsWith('#') && node.sigil !== '#') {
    for (const { list } of node.branches) into(list, false, true);
    return node.sigil === '#*' && free;
  }
  const once = conditions.has(node.name);
  const ends = node.branches.map(({ list }) => into(list, free && once, true));
  const hasElse = node.branches.at(-1)?.head.match(/^\{\{~?\s*(else\s*~?\}\}|\^)/);
  return ends.every(Boolean) && (hasElse ? true : free);
}
