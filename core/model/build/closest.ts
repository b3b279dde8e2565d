import { editDistance } from '../../edit-distance.ts';

/**
 * "Did you mean …?" for a name that is not there: the nearest of those that are, by how many letters differ. Empty when none is near, so that
 * it can stand in a sentence as it is.
 */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const near = closest(name, candidates);
  return near === null ? '' : `Did you mean “${near}”?`;
}

/** The candidate that differs in the fewest letters, at most a third of the name's; null when none does. */
export function closest(name: string, candidates: Iterable<string>): string | null {
  let best: string | null = null;
  let fewest = Math.max(1, Math.floor(name.length / 3)) + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) >= fewest) continue;
    const letters = editDistance(name, candidate);
    if (letters < fewest) {
      fewest = letters;
      best = candidate;
    }
  }
  return best;
}
