/** Returns the list with one item moved to another index. */
export function moved(ids: readonly string[], id: string, place: number): string[] {
  const remaining = ids.filter((candidate) => candidate !== id);
  return remaining.toSpliced(Math.max(0, Math.min(place, remaining.length)), 0, id);
}
