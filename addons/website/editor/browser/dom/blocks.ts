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

/** Where a block could go: the neighbour before or after it, or null at the end. */
export function neighbour(block: HTMLElement, direction: 'up' | 'down'): HTMLElement | null {
  const siblings = block.parentElement ? topBlocks(block.parentElement) : [];
  const at = siblings.indexOf(block);
  return (direction === 'up' ? siblings[at - 1] : siblings[at + 1]) ?? null;
}

/** Changes places with the neighbour; false at the end. */
export function moveBlock(block: HTMLElement, direction: 'up' | 'down'): boolean {
  const other = neighbour(block, direction);
  if (!other) return false;
  if (direction === 'up') other.before(block);
  else other.after(block);
  return true;
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
