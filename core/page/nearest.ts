import { editDistance } from '../base/index.ts';

/** The names most like `wanted`, nearest first: what somebody who mistyped may have meant. Names that share nothing are left out. */
export function nearest(wanted: string, names: Iterable<string>, count = 3): string[] {
  const limit = Math.max(1, Math.floor(wanted.length / 2));
  const isPart = (part: string, whole: string): boolean => part.length > 2 && whole.includes(part);
  return [...new Set(names)]
    .map((name) => ({
      name,
      distance: isPart(wanted, name) || isPart(name, wanted) ? 1 : editDistance(wanted, name),
    }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, count)
    .map(({ name }) => name);
}

/** ` Did you mean a or b?`, or nothing. */
export function didYouMean(wanted: string, names: Iterable<string>): string {
  const near = nearest(wanted, names);
  return near.length > 0 ? `Did you mean ${near.map((name) => `"${name}"`).join(' or ')}?` : '';
}
