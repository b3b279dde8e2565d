/** Compares two three-part versions: negative if `one` is older, 0 if they are equal. */
export function compareVersions(one: string, other: string): number {
  const [a, b] = [numbers(one), numbers(other)];
  for (const [index, number] of a.entries()) {
    const difference = number - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function numbers(version: string): number[] {
  return version.split('.').map(Number);
}
