import type { MenuItem, MenuNode } from './calls.ts';

/** An entry while the menu is edited. */
export interface MenuEntry {
  readonly id: number | string;
  readonly name: string;
  readonly url: string;
  readonly newWindow: boolean;
  /** The saved block that it opens across the page, in the place of entries below it. */
  readonly panel: number | false;
  /** 0 in the bar, 1 below the entry before it. */
  readonly level: 0 | 1;
}

/** The tree of the server as a list in which levels say what lies below what; deeper ones are brought up to the second. */
export function flatten(root: MenuNode): MenuEntry[] {
  const entries: MenuEntry[] = [];
  const walk = (node: MenuNode, level: 0 | 1): void => {
    for (const child of node.children) {
      const { id, name, url, new_window: newWindow, panel_id: panel } = child;
      entries.push({ id, name, url, newWindow, panel, level });
      walk(child, 1);
    }
  };
  walk(root, 0);
  return entries;
}

/** The list as the server takes it, each entry under its parent and in its order. */
export function toItems(root: number, entries: readonly MenuEntry[]): MenuItem[] {
  let parent: number | string = root;
  return wellFormed(entries).map(({ id, name, url, newWindow, panel, level }, index) => {
    if (level === 0) parent = id;
    return {
      id,
      name,
      url,
      new_window: newWindow,
      panel_id: panel,
      sequence: (index + 1) * 10,
      parent_id: level === 0 ? root : parent,
    };
  });
}

/** Nothing lies below nothing: the first entry is in the bar. */
export function wellFormed(entries: readonly MenuEntry[]): MenuEntry[] {
  return entries.map((entry, index) => (index === 0 && entry.level === 1 ? { ...entry, level: 0 } : entry));
}

/** Moves an entry with what lies below it by one place up or down. */
export function moveEntry(
  entries: readonly MenuEntry[],
  at: number,
  direction: 'up' | 'down',
): { entries: MenuEntry[]; at: number } {
  const size = groupSize(entries, at);
  const group = entries.slice(at, at + size);
  const rest = [...entries.slice(0, at), ...entries.slice(at + size)];
  const target = direction === 'up' ? placeBefore(rest, at, group) : placeAfter(rest, at, group);
  if (target === null) return { entries: [...entries], at };
  return { entries: wellFormed([...rest.slice(0, target), ...group, ...rest.slice(target)]), at: target };
}

/** An entry with those below it. */
export function groupSize(entries: readonly MenuEntry[], at: number): number {
  if (entries[at]?.level !== 0) return 1;
  let size = 1;
  while (entries[at + size]?.level === 1) size++;
  return size;
}

function placeBefore(rest: readonly MenuEntry[], at: number, [first]: readonly MenuEntry[]): number | null {
  if (at === 0) return null;
  let target = at - 1;
  // Entries of the bar change places with whole groups.
  while (first?.level === 0 && target > 0 && rest[target]?.level === 1) target--;
  return target;
}

function placeAfter(rest: readonly MenuEntry[], at: number, [first]: readonly MenuEntry[]): number | null {
  if (at >= rest.length) return null;
  let target = at + 1;
  while (first?.level === 0 && rest[target]?.level === 1) target++;
  return target;
}

/** Puts an entry below the one before it, or back into the bar; entries with others below them stay in the bar. */
export function setLevel(entries: readonly MenuEntry[], at: number, level: 0 | 1): MenuEntry[] {
  if (level === 1 && (at === 0 || groupSize(entries, at) > 1)) return [...entries];
  return entries.map((entry, index) => (index === at ? { ...entry, level } : entry));
}
