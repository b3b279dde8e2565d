import type { MenuItem, MenuNode } from './calls.ts';

/** Menu entry in the editor. */
export interface MenuEntry {
  readonly id: number | string;
  readonly name: string;
  readonly url: string;
  readonly newWindow: boolean;
  /** Saved block that the entry opens as a full-width panel, instead of child entries. */
  readonly panel: number | false;
  /** 0 for top-level entries, 1 for children of the previous top-level entry. */
  readonly level: 0 | 1;
}

/** Flattens the server's tree into a list with levels; deeper entries move up to the second level. */
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

/** Converts the list for the server, with the parent and sequence of each entry. */
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

/** Moves the first entry to the top level, since it can't have a parent. */
export function wellFormed(entries: readonly MenuEntry[]): MenuEntry[] {
  return entries.map((entry, index) => (index === 0 && entry.level === 1 ? { ...entry, level: 0 } : entry));
}

/** Moves an entry and its children one position up or down. */
export function moveEntry(
  entries: readonly MenuEntry[],
  index: number,
  direction: 'up' | 'down',
): { entries: MenuEntry[]; at: number } {
  const size = groupSize(entries, index);
  const group = entries.slice(index, index + size);
  const otherEntries = [...entries.slice(0, index), ...entries.slice(index + size)];
  const target = direction === 'up' ? placeBefore(otherEntries, index, group) : placeAfter(otherEntries, index, group);
  if (target === null) return { entries: [...entries], at: index };
  return {
    entries: wellFormed([...otherEntries.slice(0, target), ...group, ...otherEntries.slice(target)]),
    at: target,
  };
}

/** Number of entries in a group: the entry and its children. */
export function groupSize(entries: readonly MenuEntry[], index: number): number {
  if (entries[index]?.level !== 0) return 1;
  let size = 1;
  while (entries[index + size]?.level === 1) size++;
  return size;
}

function placeBefore(otherEntries: readonly MenuEntry[], index: number, [first]: readonly MenuEntry[]): number | null {
  if (index === 0) return null;
  let target = index - 1;
  // Top-level entries swap with whole groups.
  while (first?.level === 0 && target > 0 && otherEntries[target]?.level === 1) target--;
  return target;
}

function placeAfter(otherEntries: readonly MenuEntry[], index: number, [first]: readonly MenuEntry[]): number | null {
  if (index >= otherEntries.length) return null;
  let target = index + 1;
  while (first?.level === 0 && otherEntries[target]?.level === 1) target++;
  return target;
}

/** Moves an entry below the previous one or back to the top level; entries with children stay at the top level. */
export function setLevel(entries: readonly MenuEntry[], position: number, level: 0 | 1): MenuEntry[] {
  if (level === 1 && (position === 0 || groupSize(entries, position) > 1)) return [...entries];
  return entries.map((entry, index) => (index === position ? { ...entry, level } : entry));
}
