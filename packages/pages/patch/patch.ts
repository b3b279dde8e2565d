import type { Element } from 'domhandler';
import { type ElementRange, isBalanced, type ParsedSource, rangeOf } from '../source/source.ts';
import { type Edit, splice } from '../source/splice.ts';
import { type Anchor, anchorsOf, nearestAnchors, select } from './anchors.ts';
import { attributeEdits, readAttributeChanges } from './attributes.ts';
import type { Change } from './patch-file.ts';

export interface PatchOptions {
  /** Adds comments to the source that name the addon of each change, for developers. */
  readonly annotate?: boolean;
}

/** The changed source, or the reason why the change can't be applied. */
export type PatchResult = { readonly source: string } | { readonly fault: string; readonly remedy?: string };

/**
 * Applies one change to a source: masks the mustaches, parses the markup, selects nodes, and splices the original source at their offsets.
 * Nothing is serialised, so everything else stays unchanged.
 */
export function applyChange(parsed: ParsedSource, change: Change, options: PatchOptions = {}): PatchResult {
  const selection = findNodes(parsed, change, change.selector, change.all);
  if ('fault' in selection) return selection;
  if (selection.nodes.length === 0) return { source: parsed.source };
  const edits: Edit[] = [];
  for (const node of selection.nodes) {
    const nodeEdits = editsFor(parsed, node, change);
    if (typeof nodeEdits === 'string') {
      return {
        fault: `${change.position} "${change.selector}" cannot be done: ${nodeEdits}.`,
        remedy: remedyFor(nodeEdits),
      };
    }
    edits.push(...nodeEdits);
  }
  const source = splice(parsed.source, options.annotate ? annotated(edits, change, selection.nodes) : edits);
  return source === undefined
    ? {
        fault: `The nodes that match "${change.selector}" lie in each other.`,
        remedy: 'Select the outer or the inner ones only.',
      }
    : { source };
}

type Found = { readonly nodes: readonly Element[] } | { readonly fault: string; readonly remedy?: string };

function findNodes(parsed: ParsedSource, change: Change, selector: string, all: boolean): Found {
  let nodes: Element[];
  try {
    nodes = select(parsed, selector);
  } catch (error) {
    return {
      fault: `The selector "${selector}" is not understood: ${error instanceof Error ? error.message : String(error)}.`,
    };
  }
  if (nodes.length === 0 && !change.optional) {
    return {
      fault: `Nothing in ${change.target} matches "${selector}".`,
      remedy: listAnchors(selector, anchorsOf(parsed)),
    };
  }
  if (nodes.length > 1 && !all) {
    const lines = nodes.map((node) => parsed.lineAt(node.startIndex ?? 0)).join(', ');
    return {
      fault: `${nodes.length} nodes of ${change.target} match "${selector}" (lines ${lines}).`,
      remedy: 'Be more exact, or write all=true.',
    };
  }
  return { nodes };
}

function listAnchors(selector: string, anchors: readonly Anchor[]): string {
  const nearest = nearestAnchors(selector, anchors);
  if (nearest.length === 0) return 'It has no data-slot and no id to hold on to.';
  return `The nearest anchors are ${nearest.map(({ selector, element, line }) => `${selector} (<${element}>, line ${line})`).join(', ')}.`;
}

const notWhole = 'a block begins or ends across its tags';
function remedyFor(fault: string): string | undefined {
  return fault === notWhole ? 'Select a node inside of it or around it.' : undefined;
}

/** Edits for one node, or the reason why there aren't any. */
function editsFor(parsed: ParsedSource, node: Element, change: Change): Edit[] | string {
  const { position, content } = change;
  if (position === 'attributes') {
    const changes = readAttributeChanges(content);
    return typeof changes === 'string' ? changes : attributeEdits(parsed, node, changes, change.optional);
  }
  const range = rangeOf(parsed, node);
  if (!isWhole(parsed, range)) return notWhole;
  const insertAt = (offset: number): Edit[] => [{ at: offset, remove: 0, insert: content }];
  if (position === 'before') return insertAt(range.start);
  if (position === 'after') return insertAt(range.end);
  if (position === 'remove') return [{ at: range.start, remove: range.end - range.start, insert: '' }];
  if (position === 'replace')
    return [{ at: range.start, remove: range.end - range.start, insert: withOld(content, parsed, range) }];
  if (position === 'inside' || position === 'prepend') {
    if (range.empty) return `<${node.name}> has no inside`;
    return insertAt(position === 'inside' ? range.closeStart : range.openEnd);
  }
  return moveEdits(parsed, node, range, change);
}

function isWhole(parsed: ParsedSource, { start, end, empty, closeStart }: ElementRange): boolean {
  return (empty || closeStart >= 0) && isBalanced(parsed.mustaches, start, end);
}

/** The new content with each `{{> @old}}` replaced by the old node. */
function withOld(content: string, { source }: ParsedSource, { start, end }: ElementRange): string {
  return content.replace(/\{\{~?>\s*@old\s*~?\}\}/g, () => source.slice(start, end));
}

function moveEdits(parsed: ParsedSource, node: Element, range: ElementRange, change: Change): Edit[] | string {
  const selection = findNodes(parsed, { ...change, optional: false }, change.to ?? '', false);
  if ('fault' in selection)
    return `${selection.fault.replace(/\.$/, '')}${selection.remedy ? `; ${selection.remedy.replace(/\.$/, '')}` : ''}`;
  const [target] = selection.nodes;
  if (!target) return 'its target is missing';
  for (let ancestor: Element['parent'] = target; ancestor; ancestor = ancestor.parent)
    if (ancestor === node) return 'its target lies inside of it';
  const place = rangeOf(parsed, target);
  if (!isWhole(parsed, place)) return 'a block begins or ends across the tags of its target';
  if (change.position === 'move-inside' && place.empty) return `its target <${target.name}> has no inside`;
  const offset =
    change.position === 'move-before' ? place.start : change.position === 'move-after' ? place.end : place.closeStart;
  return [
    { at: range.start, remove: range.end - range.start, insert: '' },
    { at: offset, remove: 0, insert: parsed.source.slice(range.start, range.end) },
  ];
}

/** The same edits with comments around their insertions, or before the node if they don't insert markup. */
function annotated(edits: readonly Edit[], change: Change, nodes: readonly Element[]): Edit[] {
  const { addon, file, line, position } = change;
  const author = `${addon} ${file}:${line} ${position}`;
  if (position === 'attributes') {
    return [
      ...nodes.map((node) => ({ at: node.startIndex ?? 0, remove: 0, insert: `{{!-- ${author} --}}` })),
      ...edits,
    ];
  }
  return edits.map((edit) =>
    edit.insert === ''
      ? { ...edit, insert: `{{!-- ${author}: taken from here --}}` }
      : { ...edit, insert: `{{!-- ${author} --}}${edit.insert}{{!-- /${addon} --}}` },
  );
}
