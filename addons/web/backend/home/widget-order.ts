/** Returns the list with one item moved to another index. */
export function moved(ids: readonly string[], id: string, place: number): string[] {
  const rest = ids.filter((one) => one !== id);
  return rest.toSpliced(Math.max(0, Math.min(place, rest.length)), 0, id);
}
