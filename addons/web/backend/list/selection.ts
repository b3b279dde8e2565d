/** Selected records of a list: some by id, or all that match, visible or not. */
export type Selection = { readonly all: false; readonly ids: ReadonlySet<number> } | { readonly all: true };

export const emptySelection: Selection = { all: false, ids: new Set() };

export function isChosen(selection: Selection, id: number): boolean {
  return selection.all || selection.ids.has(id);
}

/** Toggles one record. Deselecting one of "all" selects the other visible records. */
export function toggled(selection: Selection, id: number, inSight: readonly number[]): Selection {
  const ids = new Set(selection.all ? inSight : selection.ids);
  if (!ids.delete(id)) ids.add(id);
  return { all: false, ids };
}

/** Adds all records between two rows, for Shift + click. */
export function extended(selection: Selection, from: number, to: number, inSight: readonly number[]): Selection {
  const [first, last] = [inSight.indexOf(from), inSight.indexOf(to)].toSorted((a, b) => a - b);
  if (first === undefined || last === undefined || first < 0) return toggled(selection, to, inSight);
  const ids = new Set(selection.all ? inSight : selection.ids);
  for (const id of inSight.slice(first, last + 1)) ids.add(id);
  return { all: false, ids };
}

export function selectionSize(selection: Selection, total: number): number {
  return selection.all ? total : selection.ids.size;
}
