import { join } from 'node:path';
import { didYouMean, lineNaming, type Problem, reachable, wayBack } from '../base/index.ts';
import type { Addon } from './addon.ts';

/** Where the definition of an addon is; packed ones are JavaScript. */
const FILES = ['addon.ts', 'addon.js'] as const;

/** What ordering looks at of an addon. */
type Dependent = Pick<Addon, 'name'> &
  Partial<Pick<Addon, 'folder'>> & { readonly definition: { readonly depends?: readonly string[] } };

export interface Ordered<A> {
  /** Each addon after all it depends on; among those that could come next, the alphabetically first. */
  readonly ordered: A[];
  readonly problems: Problem[];
}

/**
 * Puts addons into the order in which their parts are laid over each other. Taking one addon away (with those that depend on it) never changes
 * the order of the others.
 *
 * Problems: a dependency that is not among them, a circle (told once, as a path). Such addons and those that need them are left out.
 *
 * @param known names that exist though they are not among `addons` (not enabled, say), for better texts
 */
export function order<A extends Dependent>(addons: readonly A[], known: Iterable<string> = []): Ordered<A> {
  const byName = new Map(addons.map((addon) => [addon.name, addon]));
  const problems = [...missing(addons, byName, new Set(known)), ...circles(byName)];
  const waiting = new Map(addons.map((addon) => [addon.name, new Set(dependsOf(addon))]));
  const ordered: A[] = [];
  for (;;) {
    const next = firstReady(waiting);
    if (next === null) return { ordered, problems };
    waiting.delete(next);
    for (const needed of waiting.values()) needed.delete(next);
    const addon = byName.get(next);
    if (addon) ordered.push(addon);
  }
}

/** The names an addon needs, through others too, itself excluded. Names nobody bears are among them. */
export function dependencyClosure(name: string, byName: ReadonlyMap<string, Dependent>): Set<string> {
  const found = reachable([name], (one) => dependsOf(byName.get(one)));
  found.delete(name);
  return found;
}

/** The names of those of `addons` that need one of `names`, through others too; `names` themselves excluded. */
export function dependants(names: Iterable<string>, addons: readonly Dependent[]): Set<string> {
  const roots = new Set(names);
  const isNeededBy = (name: string) =>
    addons.filter((addon) => dependsOf(addon).includes(name)).map((addon) => addon.name);
  return reachable(roots, isNeededBy).difference(roots);
}

function dependsOf(addon: Dependent | undefined): readonly string[] {
  return addon?.definition.depends ?? [];
}

function firstReady(waiting: ReadonlyMap<string, ReadonlySet<string>>): string | null {
  let first: string | null = null;
  for (const [name, needed] of waiting) {
    if (needed.size === 0 && (first === null || name < first)) first = name;
  }
  return first;
}

function missing(
  addons: readonly Dependent[],
  byName: ReadonlyMap<string, Dependent>,
  known: ReadonlySet<string>,
): Problem[] {
  return addons.flatMap((addon) =>
    dependsOf(addon)
      .filter((needed) => !byName.has(needed))
      .map((needed) => {
        if (!known.has(needed)) return absentDependency(addon, needed, new Set([...known, ...byName.keys()]));
        const message = `depends on "${needed}", which is not enabled.`;
        return { ...placeIn(addon, needed), message, remedy: `Enable ${needed} as well.` };
      }),
  );
}

/**
 * Explains that an addon depends on another that is in no folder.
 *
 * @param known names of the addons that exist, of which the nearest is suggested
 */
export function absentDependency(
  addon: Pick<Dependent, 'name' | 'folder'>,
  needed: string,
  known: Iterable<string>,
): Problem {
  return {
    ...placeIn(addon, needed),
    message: `depends on "${needed}", which is in none of the addon folders.`,
    remedy: didYouMean(needed, known) || 'Correct `depends`, or add the folder that holds it to ADDONS_PATH.',
  };
}

/** The line of an addon's definition that names another. */
function placeIn(
  { name: addon, folder }: Pick<Dependent, 'name' | 'folder'>,
  needed: string,
): Pick<Problem, 'addon' | 'file' | 'line'> {
  const words = [`'${needed}'`, `"${needed}"`];
  const lines =
    folder === undefined ? [] : FILES.map((file) => ({ file, line: lineNaming(join(folder, file), words) }));
  return { addon, file: FILES[0], ...lines.find(({ line }) => line !== undefined) };
}

/** Every circle once, from its alphabetically first member: `a → b → a`. */
function circles(byName: ReadonlyMap<string, Dependent>): Problem[] {
  const told = new Set<string>();
  const problems: Problem[] = [];
  for (const name of [...byName.keys()].sort()) {
    if (told.has(name)) continue;
    const path = wayBack(name, (one) => dependsOf(byName.get(one)));
    if (!path) continue;
    for (const member of path) told.add(member);
    problems.push(
      ...path.map((addon, index) => ({
        ...placeIn(byName.get(addon) ?? { name: addon }, path[index + 1] ?? name),
        message: `addons depend on each other in a circle: ${[...path, path[0]].join(' → ')}.`,
        remedy: 'Take one of these out of `depends`; what both need belongs in a third addon.',
      })),
    );
  }
  return problems;
}
