import { itemBlocks } from './flow.ts';

/** Parts of a page that are moved, copied and removed as a whole: what lies at the top of a field, and the items of rows and groups in it. */

const items = `.row > *, .s_grid > *, .slide, details, figure, .s_progress, [data-name], ${itemBlocks}`;

/** The innermost block at or around a node, within the field; null outside of any. */
export function blockAt(root: HTMLElement, node: Node | null): HTMLElement | null {
  for (
    let at = node instanceof HTMLElement ? node : (node?.parentElement ?? null);
    at && at !== root;
    at = at.parentElement
  ) {
    if (isBlockOf(root, at)) return at;
  }
  return null;
}

/** The block with those around it, the outermost first. */
export function blockPath(root: HTMLElement, block: HTMLElement): HTMLElement[] {
  const path: HTMLElement[] = [];
  for (let at: HTMLElement | null = block; at && at !== root; at = at.parentElement)
    if (isBlockOf(root, at)) path.unshift(at);
  return path;
}

function isBlockOf(root: HTMLElement, element: HTMLElement): boolean {
  if (element.closest('[data-block]') !== null && !element.hasAttribute('data-block')) return false;
  // What fills a column goes with it: a copy stands beside it, not below it in the same column.
  if (element.matches('.row > * > figure') && element.parentElement && topBlocks(element.parentElement).length === 1)
    return false;
  return element.parentElement === root || element.hasAttribute('data-block') || element.matches(items);
}

/** The blocks at the top of a field, or of another block, in their order. */
export function topBlocks(root: HTMLElement): HTMLElement[] {
  return [...root.children].filter(
    (child): child is HTMLElement => child instanceof HTMLElement && !child.hasAttribute('data-ed-handle'),
  );
}

/** Where things stand in a column: the text of the card that fills it, or the column itself. */
export function insideOf(column: HTMLElement): HTMLElement {
  return column.querySelector<HTMLElement>(':scope > .card > .card-body, :scope > .s_box:only-child') ?? column;
}

/** What blocks can stand in, in the order of the page: the inside of each column. */
export function columnsOf(root: HTMLElement): HTMLElement[] {
  const columns = [...root.querySelectorAll<HTMLElement>('.row > *')];
  return columns.filter((column) => column.closest('[data-block]') === null).map(insideOf);
}

/** The blocks that are dragged by themselves: those at the top of a field, and those that were put into a column. */
export function draggedBlocks(root: HTMLElement): HTMLElement[] {
  const inside = columnsOf(root).flatMap(topBlocks);
  return [...topBlocks(root), ...inside.filter((block) => block.matches('[data-name], [data-block]'))];
}

/** Where a block could go: the neighbour before or after it, or null at the end. */
export function neighbour(block: HTMLElement, direction: 'up' | 'down'): HTMLElement | null {
  const siblings = block.parentElement ? topBlocks(block.parentElement) : [];
  const at = siblings.indexOf(block);
  return (direction === 'up' ? siblings[at - 1] : siblings[at + 1]) ?? null;
}

/** How a block goes on in a direction: past its neighbour, or from the end of its column into the next one; null at the end. */
export function wayOn(root: HTMLElement, block: HTMLElement, direction: 'up' | 'down'): (() => void) | null {
  const other = neighbour(block, direction);
  if (other) return () => (direction === 'up' ? other.before(block) : other.after(block));
  const columns = columnsOf(root).filter((column) => !block.contains(column));
  const at = block.parentElement ? columns.indexOf(block.parentElement) : -1;
  const column = at < 0 ? undefined : columns[direction === 'up' ? at - 1 : at + 1];
  return column ? () => (direction === 'up' ? column.append(block) : column.prepend(block)) : null;
}

/**
 * What of a part is another than in a former state, the innermost that holds all of it; where something went, what took its place. Of several that moved,
 * the one that looks as what was chosen.
 */
export function changedPart(now: Element, then: Element, chosen: Element | null): Element {
  const [all, former] = [[...now.children], [...then.children]];
  const isSame = (at: number): boolean => all.at(at)?.isEqualNode(former.at(at) ?? null) ?? false;
  const shorter = Math.min(all.length, former.length);
  let first = 0;
  while (first < shorter && isSame(first)) first++;
  let end = 0;
  while (end < shorter - first && isSame(-1 - end)) end++;
  const changed = all.slice(first, all.length - end);
  const gone = former.slice(first, former.length - end);
  const [one] = changed;
  const [before] = gone;
  if (one && before && changed.length === 1 && gone.length === 1) return changedPart(one, before, chosen);
  const parts = changed.flatMap((part) => [part, ...part.querySelectorAll('*')]);
  const moved = chosen ? parts.find((part) => part.isEqualNode(chosen)) : undefined;
  return moved ?? one ?? (before ? (all[first] ?? all.at(-1)) : undefined) ?? now;
}

/** Puts a class of a group on an element in the place of the others of that group; an empty choice takes all away. */
export function chooseClass(element: Element, group: readonly string[], choice: string): void {
  element.classList.remove(...group.flatMap(words));
  element.classList.add(...words(choice));
  if (element.classList.length === 0) element.removeAttribute('class');
}

/** Which choice of a group an element has; the one that says most where several fit. */
export function chosenClass(element: Element, group: readonly string[]): string {
  const fitting = group.filter(
    (choice) => choice !== '' && words(choice).every((name) => element.classList.contains(name)),
  );
  return fitting.sort((a, b) => words(b).length - words(a).length)[0] ?? '';
}

function words(classes: string): string[] {
  return classes.split(/\s+/).filter((name) => name !== '');
}

/** A name for people: what the snippet calls itself, its first heading, or its kind. */
export function describeBlock(block: HTMLElement): { readonly name: string | null; readonly heading: string | null } {
  const heading =
    block.querySelector('h1, h2, h3, h4, h5, h6, summary, p')?.textContent?.trim() ?? block.textContent?.trim() ?? '';
  return { name: block.dataset.name ?? null, heading: heading === '' ? null : heading.slice(0, 60) };
}

/** Gives what opens one at a time within a new block a name of its own, so that other blocks stay as they are. */
export function renameGroups(block: HTMLElement, root: HTMLElement): void {
  const own = new Map<string, string>();
  const taken = (name: string): boolean =>
    [...root.querySelectorAll('details[name]')].some(
      (one) => one.getAttribute('name') === name && !block.contains(one),
    );
  for (const details of block.querySelectorAll('details[name]')) {
    const name = details.getAttribute('name') ?? '';
    for (let number = 1; !own.has(name); number++) {
      const free = number === 1 ? name : `${name.replace(/-\d+$/, '')}-${number}`;
      if (!taken(free)) own.set(name, free);
    }
    details.setAttribute('name', own.get(name) ?? name);
  }
}
