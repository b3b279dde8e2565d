import type { Element } from 'domhandler';
import { type ElementRange, isBalanced, type ParsedSource, rangeOf } from '../source/source.ts';
import { type Edit, splice } from '../source/splice.ts';
import { PATCH_HELPER } from '../source/whitespace.ts';
import { type Anchor, anchorsOf, nearestAnchors, select } from './anchors.ts';
import { attributeEdits, readAttributeChanges } from './attributes.ts';
import type { Change } from './patch-file.ts';

export interface PatchOptions {
  /** Adds comments to the source that name the addon of each change, for developers. */
  readonly annotate?: boolean;
  /** Addon of the template: insertions of other addons are marked, so that they can be measured. */
  readonly owner?: string;
}

/** The changed source, or the reason why the change can't be applied. */
export type PatchResult = { readonly source: string } | { readonly fault: string; readonly remedy?: string };

/**
 * Applies one change to a source: masks the mustaches, parses the markup, selects nodes, and splices the original source at their offsets.
 * Nothing is serialised, so everything else stays unchanged.
 */
export function applyChange(parsed: ParsedSource, change: Change, options: PatchOptions = {}): PatchResult {
  const target = findNode(parsed, change);
  if ('fault' in target) return target;
  const { node } = target;
  const edits = editsFor(parsed, node, change, options);
  if (typeof edits === 'string') {
    return { fault: `${change.position} "${change.selector}" cannot be done: ${edits}.`, remedy: remedyFor(edits) };
  }
  return { source: splice(parsed.source, options.annotate ? annotated(edits, change, node) : edits) ?? parsed.source };
}

type Found = { readonly node: Element } | { readonly fault: string; readonly remedy?: string };

function findNode(parsed: ParsedSource, { selector, target }: Change): Found {
  let nodes: Element[];
  try {
    nodes = select(parsed, selector);
  } catch (error) {
    return {
      fault: `The selector "${selector}" is not understood: ${error instanceof Error ? error.message : String(error)}.`,
    };
  }
  const [node] = nodes;
  if (!node) {
    return {
      fault: `Nothing in ${target} matches "${selector}".`,
      remedy: listAnchors(selector, anchorsOf(parsed)),
    };
  }
  if (nodes.length > 1) {
    const lines = nodes.map(({ startIndex }) => parsed.lineAt(startIndex ?? 0)).join(', ');
    return {
      fault: `${nodes.length} nodes of ${target} match "${selector}" (lines ${lines}).`,
      remedy: 'Be more exact.',
    };
  }
  return { node };
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
function editsFor(parsed: ParsedSource, node: Element, change: Change, { owner }: PatchOptions): Edit[] | string {
  const { position } = change;
  const content = marked(change.addon, change.content, owner);
  if (position === 'attributes') {
    const changes = readAttributeChanges(change.content);
    return typeof changes === 'string' ? changes : attributeEdits(parsed, node, changes);
  }
  const range = rangeOf(parsed, node);
  if (!isWhole(parsed, range)) return notWhole;
  const insertAt = (offset: number): Edit[] => [{ at: offset, remove: 0, insert: content }];
  if (position === 'before') return insertAt(range.start);
  if (position === 'after') return insertAt(range.end);
  if (position === 'remove') return [{ at: range.start, remove: range.end - range.start, insert: '' }];
  if (position === 'replace')
    return [{ at: range.start, remove: range.end - range.start, insert: withOld(content, parsed, range, owner) }];
  if (range.empty) return `<${node.name}> has no inside`;
  return insertAt(position === 'inside' ? range.closeStart : range.openEnd);
}

function isWhole(parsed: ParsedSource, { start, end, empty, closeStart }: ElementRange): boolean {
  return (empty || closeStart >= 0) && isBalanced(parsed.mustaches, start, end);
}

/** The new content with each `{{> @old}}` replaced by the old node. */
function withOld(content: string, { source }: ParsedSource, { start, end }: ElementRange, owner?: string): string {
  return content.replace(/\{\{~?>\s*@old\s*~?\}\}/g, () => marked(owner, source.slice(start, end), owner));
}

/** The content with a mark around it, unless the mark would change what it does: its parts and its control of surrounding space. */
function marked(addon: string | undefined, content: string, owner: string | undefined): string {
  const body = content.trim();
  if (owner === undefined || body === '' || /\{\{~?#\*|^\{\{~|~\}\}$/.test(body)) return content;
  return content.replace(body, () => `{{#${PATCH_HELPER} "${addon}"}}${body}{{/${PATCH_HELPER}}}`);
}

/** The same edits with comments around what they insert; where they insert no markup, a comment before the node. */
function annotated(edits: readonly Edit[], change: Change, node: Element): Edit[] {
  const { addon, file, line, position } = change;
  const author = `${addon} ${file}:${line} ${position}`;
  if (position === 'attributes') {
    return [{ at: node.startIndex ?? 0, remove: 0, insert: `{{!-- ${author} --}}` }, ...edits];
  }
  return edits.map((edit) =>
    edit.insert === ''
      ? { ...edit, insert: `{{!-- ${author}: taken from here --}}` }
      : { ...edit, insert: `{{!-- ${author} --}}${edit.insert}{{!-- /${addon} --}}` },
  );
}
