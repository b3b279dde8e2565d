/** The list with one of its items at another place. */
export function moved(ids: readonly string[], id: string, place: number): string[] {
  const rest = ids.filter((one) => one !== id);
  return rest.toSpliced(Math.max(0, Math.min(place, rest.length)), 0, id);
}
