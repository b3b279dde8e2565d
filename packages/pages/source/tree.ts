import type { ChildNode, Element } from 'domhandler';
import type { Mustache } from './mustaches.ts';
import { type ElementRange, type ParsedSource, rangeOf, within } from './source.ts';

/** Markup and Handlebars blocks in a single tree, as a reader sees the source. */
export type Piece = TextPiece | MustachePiece | BlockPiece | ElementPiece;
interface TextPiece {
  readonly type: 'text';
  readonly start: number;
  readonly end: number;
}
/** A value, a partial or a comment. */
interface MustachePiece {
  readonly type: 'mustache';
  readonly start: number;
  readonly end: number;
  readonly mustache: Mustache;
}
/** `{{#if}}…{{else}}…{{/if}}`: one branch, or several. */
export interface BlockPiece {
  readonly type: 'block';
  readonly start: number;
  readonly end: number;
  readonly open: Mustache;
  readonly close: Mustache;
  readonly branches: readonly Branch[];
}
export interface Branch {
  /** The preceding mustache: the opening one or an `{{else}}`. */
  readonly head: Mustache;
  readonly start: number;
  readonly end: number;
  readonly pieces: readonly Piece[];
}
export interface ElementPiece {
  readonly type: 'element';
  readonly start: number;
  readonly end: number;
  readonly element: Element;
  readonly range: ElementRange;
  readonly content: Content;
}

/** Content between two offsets. `crossed`: a block starts inside an element and ends outside it, so `pieces` contains no blocks. */
export interface Content {
  readonly pieces: readonly Piece[];
  readonly crossed: boolean;
}

/** Tree of a whole source. */
export function treeOf(parsed: ParsedSource): Content {
  return contentOf(parsed, parsed.document.childNodes, 0, parsed.source.length);
}

/** Tree of a text without elements, such as an attribute's value. */
export function textContent(parsed: ParsedSource, from: number, to: number): Content {
  return contentOf(parsed, [], from, to);
}

/** All elements of a tree that match `isWanted`, outer ones first, without descending into others. */
export function* elementsIn(
  pieces: readonly Piece[],
  isWanted: (piece: ElementPiece) => boolean,
): Generator<ElementPiece> {
  for (const piece of pieces) {
    if (piece.type === 'block') for (const branch of piece.branches) yield* elementsIn(branch.pieces, isWanted);
    else if (piece.type === 'element' && isWanted(piece)) {
      yield piece;
      yield* elementsIn(piece.content.pieces, isWanted);
    }
  }
}

function contentOf(parsed: ParsedSource, nodes: readonly ChildNode[], from: number, to: number): Content {
  const flat = flatten(parsed, nodes, from, to);
  const folded = foldBlocks(flat);
  return folded ? { pieces: folded, crossed: false } : { pieces: flat.filter(isOutput), crossed: true };
}

function isOutput(piece: Piece): boolean {
  return piece.type !== 'mustache' || !['open', 'close', 'else'].includes(piece.mustache.kind);
}

/** Text, mustaches and elements of one level, in order, without markup comments. */
function flatten(parsed: ParsedSource, nodes: readonly ChildNode[], from: number, to: number): Piece[] {
  const pieces: Piece[] = [];
  const addText = (start: number, end: number): void => {
    let offset = start;
    for (const mustache of within(parsed.mustaches, start, end)) {
      if (mustache.start > offset) pieces.push({ type: 'text', start: offset, end: mustache.start });
      pieces.push({ type: 'mustache', start: mustache.start, end: mustache.end, mustache });
      offset = mustache.end;
    }
    if (end > offset) pieces.push({ type: 'text', start: offset, end });
  };
  let offset = from;
  for (const node of nodes) {
    if (node.type === 'text') continue;
    const start = node.startIndex ?? offset;
    const end = (node.endIndex ?? start) + 1;
    addText(offset, start);
    offset = end;
    if ('attribs' in node) pieces.push(elementPiece(parsed, node, start, end));
  }
  addText(offset, to);
  return pieces;
}

function elementPiece(parsed: ParsedSource, element: Element, start: number, end: number): ElementPiece {
  const range = rangeOf(parsed, element);
  const innerEnd = range.closeStart >= 0 ? range.closeStart : end;
  const content: Content = range.empty
    ? { pieces: [], crossed: false }
    : contentOf(parsed, element.childNodes, range.openEnd, Math.max(range.openEnd, innerEnd));
  return { type: 'element', start, end, element, range, content };
}

interface OpenBlock {
  readonly open: Mustache;
  readonly branches: { head: Mustache; start: number; end: number; pieces: Piece[] }[];
}

/** Folds everything between `{{#…}}` and `{{/…}}` into one piece; undefined if the other tag is missing. */
function foldBlocks(flat: readonly Piece[]): Piece[] | undefined {
  const root: Piece[] = [];
  const stack: OpenBlock[] = [];
  const currentPieces = (): Piece[] => stack.at(-1)?.branches.at(-1)?.pieces ?? root;
  for (const piece of flat) {
    const kind = piece.type === 'mustache' ? piece.mustache.kind : undefined;
    if (piece.type !== 'mustache' || (kind !== 'open' && kind !== 'else' && kind !== 'close')) {
      currentPieces().push(piece);
      continue;
    }
    const { mustache } = piece;
    const branch = { head: mustache, start: mustache.end, end: mustache.end, pieces: [] };
    if (kind === 'open') {
      stack.push({ open: mustache, branches: [branch] });
      continue;
    }
    const block = kind === 'else' ? stack.at(-1) : stack.pop();
    const last = block?.branches.at(-1);
    if (!block || !last) return undefined;
    last.end = mustache.start;
    if (kind === 'else') block.branches.push(branch);
    else currentPieces().push({ type: 'block', start: block.open.start, end: mustache.end, ...block, close: mustache });
  }
  return stack.length > 0 ? undefined : root;
}
