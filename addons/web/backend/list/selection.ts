/** Which records of a list are chosen: some by id, or all that match, seen or not. */
export type Selection = { readonly all: false; readonly ids: ReadonlySet<number> } | { readonly all: true };

export const emptySelection: Selection = { all: false, ids: new Set() };

export function isChosen(selection: Selection, id: number): boolean {
  return selection.all || selection.ids.has(id);
}

/** The selection with one record more or less; of "all" it becomes those in sight without this one. */
export function toggled(selection: Selection, id: number, inSight: readonly number[]): Selection {
  const ids = new Set(selection.all ? inSight : selection.ids);
  if (!ids.delete(id)) ids.add(id);
  return { all: false, ids };
}

/** The selection with everything between two records as well: Shift and click. */
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
