/** Letters to add, drop, change, or swap with their neighbour to make one text of the other. */
export function editDistance(one: string, other: string): number {
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let line = 1; line <= one.length; line++) {
    const next = [line];
    for (let column = 1; column <= other.length; column++) {
      const changed = (row[column - 1] ?? 0) + (one[line - 1] === other[column - 1] ? 0 : 1);
      const isSwapped = one[line - 1] === other[column - 2] && one[line - 2] === other[column - 1];
      const swapped = isSwapped ? (before[column - 2] ?? 0) + 1 : changed;
      next.push(Math.min(changed, swapped, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    before = row;
    row = next;
  }
  return row[other.length] ?? 0;
}
