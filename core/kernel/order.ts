import { join } from 'node:path';
import { didYouMean, lineNaming, type Problem, reachable, wayBack } from '../base/index.ts';
import type { Addon } from './addon.ts';

/** Possible files of an addon's definition; packaged addons are JavaScript. */
const FILES = ['addon.ts', 'addon.js'] as const;

/** The properties of an addon used for ordering. */
type Dependent = Pick<Addon, 'name'> &
  Partial<Pick<Addon, 'folder'>> & { readonly definition: { readonly depends?: readonly string[] } };

export interface Ordered<A> {
  /** Each addon after its dependencies; alphabetically where several could come next. */
  readonly ordered: A[];
  readonly problems: Problem[];
}

/**
 * Sorts addons in the order in which their contributions are layered. Removing an addon (with its dependants) never changes the order of
 * the others.
 *
 * Reports dependencies that are missing, and each circle once, as a path. Leaves out these addons and their dependants.
 *
 * @param knownNames names that exist but aren't among `addons` (not enabled, for example), for better messages
 */
export function order<A extends Dependent>(addons: readonly A[], knownNames: Iterable<string> = []): Ordered<A> {
  const byName = new Map(addons.map((addon) => [addon.name, addon]));
  const problems = [...missing(addons, byName, new Set(knownNames)), ...circles(byName)];
  const waiting = new Map(addons.map((addon) => [addon.name, new Set(dependsOf(addon))]));
  const ordered: A[] = [];
  for (;;) {
    const next = firstReady(waiting);
    if (next === null) return { ordered, problems };
    waiting.delete(next);
    for (const dependencies of waiting.values()) dependencies.delete(next);
    const addon = byName.get(next);
    if (addon) ordered.push(addon);
  }
}

/** Names of all direct and indirect dependencies, without the addon itself. Includes names of addons that don't exist. */
export function dependencyClosure(name: string, byName: ReadonlyMap<string, Dependent>): Set<string> {
  const dependencies = reachable([name], (dependency) => dependsOf(byName.get(dependency)));
  dependencies.delete(name);
  return dependencies;
}

/** Names of the direct and indirect dependants among `addons`, without `names` themselves. */
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
  for (const [name, dependencies] of waiting) {
    if (dependencies.size === 0 && (first === null || name < first)) first = name;
  }
  return first;
}

function missing(
  addons: readonly Dependent[],
  byName: ReadonlyMap<string, Dependent>,
  knownNames: ReadonlySet<string>,
): Problem[] {
  return addons.flatMap((addon) =>
    dependsOf(addon)
      .filter((dependency) => !byName.has(dependency))
      .map((dependency) => {
        if (!knownNames.has(dependency))
          return absentDependency(addon, dependency, new Set([...knownNames, ...byName.keys()]));
        const message = `depends on "${dependency}", which is not enabled.`;
        return { ...placeIn(addon, dependency), message, remedy: `Enable ${dependency} as well.` };
      }),
  );
}

/**
 * Explains that an addon depends on one that is in no folder.
 *
 * @param knownNames names of existing addons, for suggesting the closest one
 */
export function absentDependency(
  addon: Pick<Dependent, 'name' | 'folder'>,
  dependency: string,
  knownNames: Iterable<string>,
): Problem {
  return {
    ...placeIn(addon, dependency),
    message: `depends on "${dependency}", which is in none of the addon folders.`,
    remedy: didYouMean(dependency, knownNames) || 'Correct `depends`, or add the folder that holds it to ADDONS_PATH.',
  };
}

/** Line of an addon's definition that names the other addon. */
function placeIn(
  { name: addon, folder }: Pick<Dependent, 'name' | 'folder'>,
  dependency: string,
): Pick<Problem, 'addon' | 'file' | 'line'> {
  const words = [`'${dependency}'`, `"${dependency}"`];
  const lines =
    folder === undefined ? [] : FILES.map((file) => ({ file, line: lineNaming(join(folder, file), words) }));
  return { addon, file: FILES[0], ...lines.find(({ line }) => line !== undefined) };
}

/** Reports every circle once, from its alphabetically first member: `a → b → a`. */
function circles(byName: ReadonlyMap<string, Dependent>): Problem[] {
  const reported = new Set<string>();
  const problems: Problem[] = [];
  for (const name of [...byName.keys()].sort()) {
    if (reported.has(name)) continue;
    const path = wayBack(name, (member) => dependsOf(byName.get(member)));
    if (!path) continue;
    for (const member of path) reported.add(member);
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
