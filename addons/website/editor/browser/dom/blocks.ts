import { itemBlocks } from './flow.ts';

/** Parts that are moved, copied and removed as a whole: top-level elements of a field, and items of rows and groups. */

const items = `.row > *, .s_grid > *, .slide, details, figure, .s_progress, [data-name], ${itemBlocks}`;

/** Innermost block at or around a node within the field, or null. */
export function blockAt(root: HTMLElement, node: Node | null): HTMLElement | null {
  for (
    let candidate = node instanceof HTMLElement ? node : (node?.parentElement ?? null);
    candidate && candidate !== root;
    candidate = candidate.parentElement
  ) {
    if (isBlockOf(root, candidate)) return candidate;
  }
  return null;
}

/** The block and its ancestors, outermost first. */
export function blockPath(root: HTMLElement, block: HTMLElement): HTMLElement[] {
  const path: HTMLElement[] = [];
  for (let candidate: HTMLElement | null = block; candidate && candidate !== root; candidate = candidate.parentElement)
    if (isBlockOf(root, candidate)) path.unshift(candidate);
  return path;
}

function isBlockOf(root: HTMLElement, element: HTMLElement): boolean {
  if (element.closest('[data-block]') !== null && !element.hasAttribute('data-block')) return false;
  // An element that fills a column moves with it: a copy goes next to the column, not below the element inside it.
  if (element.matches('.row > * > figure') && element.parentElement && topBlocks(element.parentElement).length === 1)
    return false;
  return element.parentElement === root || element.hasAttribute('data-block') || element.matches(items);
}

/** Top-level blocks of a field or of another block, in order. */
export function topBlocks(root: HTMLElement): HTMLElement[] {
  return [...root.children].filter(
    (child): child is HTMLElement => child instanceof HTMLElement && !child.hasAttribute('data-ed-handle'),
  );
}

/** Container of a column's contents: the body of the card that fills it, or the column itself. */
export function insideOf(column: HTMLElement): HTMLElement {
  return column.querySelector<HTMLElement>(':scope > .card > .card-body, :scope > .s_box:only-child') ?? column;
}

/** Containers that accept blocks, in page order: the inside of each column. */
export function columnsOf(root: HTMLElement): HTMLElement[] {
  const columns = [...root.querySelectorAll<HTMLElement>('.row > *')];
  return columns.filter((column) => column.closest('[data-block]') === null).map(insideOf);
}

/** Blocks with drag handles: top-level blocks of a field, and blocks inside columns. */
export function draggedBlocks(root: HTMLElement): HTMLElement[] {
  const inside = columnsOf(root).flatMap(topBlocks);
  return [...topBlocks(root), ...inside.filter((block) => block.matches('[data-name], [data-block]'))];
}

/** Neighbour that a block can move past, or null at the end. */
export function neighbour(block: HTMLElement, direction: 'up' | 'down'): HTMLElement | null {
  const siblings = block.parentElement ? topBlocks(block.parentElement) : [];
  const index = siblings.indexOf(block);
  return (direction === 'up' ? siblings[index - 1] : siblings[index + 1]) ?? null;
}

/** Returns a function that moves a block past its neighbour, or from the end of its column into the next one; null at the end. */
export function moveAction(root: HTMLElement, block: HTMLElement, direction: 'up' | 'down'): (() => void) | null {
  const next = neighbour(block, direction);
  if (next) return () => (direction === 'up' ? next.before(block) : next.after(block));
  const columns = columnsOf(root).filter((column) => !block.contains(column));
  const index = block.parentElement ? columns.indexOf(block.parentElement) : -1;
  const column = index < 0 ? undefined : columns[direction === 'up' ? index - 1 : index + 1];
  return column ? () => (direction === 'up' ? column.append(block) : column.prepend(block)) : null;
}

/**
 * Returns the innermost element that contains all differences from a previous state, or the element after a removed one. If several
 * elements moved, prefers the one that equals the selection.
 */
export function changedPart(now: Element, then: Element, selection: Element | null): Element {
  const [all, previous] = [[...now.children], [...then.children]];
  const isSame = (index: number): boolean => all.at(index)?.isEqualNode(previous.at(index) ?? null) ?? false;
  const shorter = Math.min(all.length, previous.length);
  let first = 0;
  while (first < shorter && isSame(first)) first++;
  let end = 0;
  while (end < shorter - first && isSame(-1 - end)) end++;
  const changed = all.slice(first, all.length - end);
  const removed = previous.slice(first, previous.length - end);
  const [firstChanged] = changed;
  const [firstRemoved] = removed;
  if (firstChanged && firstRemoved && changed.length === 1 && removed.length === 1)
    return changedPart(firstChanged, firstRemoved, selection);
  const parts = changed.flatMap((part) => [part, ...part.querySelectorAll('*')]);
  const moved = selection ? parts.find((part) => part.isEqualNode(selection)) : undefined;
  return moved ?? firstChanged ?? (firstRemoved ? (all[first] ?? all.at(-1)) : undefined) ?? now;
}

/** Replaces an element's class from a group; an empty choice removes it. */
export function chooseClass(element: Element, group: readonly string[], choice: string): void {
  element.classList.remove(...group.flatMap(words));
  element.classList.add(...words(choice));
  if (element.classList.length === 0) element.removeAttribute('class');
}

/** Returns the choice that an element's classes match; the most specific if several do. */
export function chosenClass(element: Element, group: readonly string[]): string {
  const fitting = group.filter(
    (choice) => choice !== '' && words(choice).every((name) => element.classList.contains(name)),
  );
  return fitting.sort((a, b) => words(b).length - words(a).length)[0] ?? '';
}

function words(classes: string): string[] {
  return classes.split(/\s+/).filter((name) => name !== '');
}

/** Human-readable description: the snippet's name, or the first heading. */
export function describeBlock(block: HTMLElement): { readonly name: string | null; readonly heading: string | null } {
  const heading =
    block.querySelector('h1, h2, h3, h4, h5, h6, summary, p')?.textContent?.trim() ?? block.textContent?.trim() ?? '';
  return { name: block.dataset.name ?? null, heading: heading === '' ? null : heading.slice(0, 60) };
}

/** Gives the exclusive `details` groups of a new block unique names, so that they don't close groups of other blocks. */
export function renameGroups(block: HTMLElement, root: HTMLElement): void {
  const uniqueNames = new Map<string, string>();
  const isTaken = (name: string): boolean =>
    [...root.querySelectorAll('details[name]')].some(
      (details) => details.getAttribute('name') === name && !block.contains(details),
    );
  for (const details of block.querySelectorAll('details[name]')) {
    const name = details.getAttribute('name') ?? '';
    for (let number = 1; !uniqueNames.has(name); number++) {
      const free = number === 1 ? name : `${name.replace(/-\d+$/, '')}-${number}`;
      if (!isTaken(free)) uniqueNames.set(name, free);
    }
    details.setAttribute('name', uniqueNames.get(name) ?? name);
  }
}
