import { differenceKey } from './compare-pages.ts';
import {
  type Difference,
  type DifferenceKind,
  differenceKinds,
  type Rehearsal,
  type RoleName,
  roleNames,
} from './types.ts';

/** The same difference wherever it occurs. */
export interface DifferenceGroup {
  readonly kind: DifferenceKind;
  /** How often it occurs. */
  readonly count: number;
  /** One of them. */
  readonly example: Difference;
  /** Number of addresses, and their viewers. */
  readonly paths: number;
  readonly viewers: readonly RoleName[];
}

/** Folds differences that are the same on several pages: worst kinds first, then the most frequent. */
export function differenceGroups({ differences }: Pick<Rehearsal, 'differences'>): DifferenceGroup[] {
  const byKey = Map.groupBy(differences, (difference) =>
    difference.as === '' ? siteKey(difference) : foldKey(difference),
  );
  return [...byKey.values()]
    .flatMap((group): DifferenceGroup[] => {
      const [example] = group.toSorted((a, b) => rank(a) - rank(b) || a.path.length - b.path.length);
      if (!example) return [];
      const viewers = roleNames.filter((role) => group.some(({ as }) => as === role));
      const paths = new Set(group.map(({ path }) => path)).size;
      return [{ kind: example.kind, count: group.length, example, paths, viewers }];
    })
    .toSorted((a, b) => differenceKinds.indexOf(a.kind) - differenceKinds.indexOf(b.kind) || b.count - a.count);
}

/** Pages that visitors see are the best examples. */
const rank = ({ as }: Difference): number => (as === '' ? 0 : roleNames.indexOf(as));

/** Addresses and numbers within lines differ from page to page. */
function foldKey(difference: Difference): string {
  return differenceKey(difference).replace(/\d+/g, '#').replaceAll(difference.path, '…');
}

/** Everything new, or gone, of one kind is one group: the routes of an addon, and the rights on its models. */
function siteKey({ kind, path, before, after }: Difference): string {
  const isPlain = (kind === 'route' || kind === 'rights') && (before === null || after === null);
  return JSON.stringify(isPlain ? [kind, path.split(' ')[0], before === null] : [kind, path]);
}
