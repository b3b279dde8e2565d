/** Suggests the closest existing name: "Did you mean …?". Empty if no name is close, so it can be appended to any message. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const suggestion = closest(name, candidates);
  return suggestion === null ? '' : `Did you mean “${suggestion}”?`;
}

/**
 * Returns the candidate with the fewest different letters, at most a third of the name's, or null. A missing `_id` or `_ids` suffix counts
 * as one letter, since relations use it.
 */
export function closest(name: string, candidates: Iterable<string>): string | null {
  let bestCandidate: string | null = null;
  let bestDistance = Math.max(1, Math.floor(name.length / 3)) + 1;
  for (const candidate of candidates) {
    const isRelation = candidate.startsWith(`${name}_id`);
    if (!isRelation && Math.abs(candidate.length - name.length) >= bestDistance) continue;
    const distance = isRelation ? 1 : editDistance(name, candidate);
    if (distance < bestDistance) {
      bestDistance = distance;
      bestCandidate = candidate;
    }
  }
  return bestCandidate;
}

/** Number of letters to insert, delete, replace or swap with their neighbour to turn one text into the other. */
export function editDistance(a: string, b: string): number {
  let previousRow: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let line = 1; line <= a.length; line++) {
    const next = [line];
    for (let column = 1; column <= b.length; column++) {
      const changed = (row[column - 1] ?? 0) + (a[line - 1] === b[column - 1] ? 0 : 1);
      const isSwapped = a[line - 1] === b[column - 2] && a[line - 2] === b[column - 1];
      const swapped = isSwapped ? (previousRow[column - 2] ?? 0) + 1 : changed;
      next.push(Math.min(changed, swapped, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    previousRow = row;
    row = next;
  }
  return row[b.length] ?? 0;
}
