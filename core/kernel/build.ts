import { createPause, declaredAt, inOrder, namesIn, type Problem } from '../base/index.ts';
import type { Addon, ListedAddon } from './addon.ts';
import { codeMeter } from './addon-code.ts';
import { buildContainer, type Container, type ContainerOptions } from './container.ts';
import { Generation } from './generation.ts';
import type { BuildResult } from './host.ts';
import { keyOf, type Needs, type Resolved, value } from './key.ts';
import { dependencyClosure, order } from './order.ts';
import { type Contribution, type ContributionPoint, contributionsTo, type Report } from './point.ts';
import type { ServiceClass, ServiceExtension } from './service.ts';
import type { GenerationRecord } from './storage.ts';

declare module './contributions.ts' {
  interface Contributions {
    /** Services, and extensions of other addons' services. */
    services: readonly (ServiceClass | ServiceExtension)[];
    /** Contribution points for addons that depend on this one. */
    points: readonly ContributionPoint[];
  }
}

/** The enabled addons in dependency order, in the container next to their contributions. */
export const enabledAddons = value<readonly Addon[]>('addons');

export interface BuildOptions extends Pick<ContainerOptions, 'values' | 'requestValues'> {
  /** In dependency order. */
  readonly addons: readonly Addon[];
  readonly points: readonly ContributionPoint[];
  readonly pause: () => Promise<void>;
}

/**
 * Builds every point from the addons' contributions, after the points it needs, and the container that holds them with the services.
 * Reports all problems of all addons; if there are any, the container must not serve and should be disposed.
 */
export async function buildPoints(options: BuildOptions): Promise<{ container: Container; problems: Problem[] }> {
  const { addons, points, pause, values } = options;
  const problems: Problem[] = [];
  problems.push(...unreachable(addons));
  const built = new Map<string, unknown>([...Object.entries(values), [enabledAddons.name, addons]]);
  const { meter } = resolved({ meter: codeMeter }, built);
  for (const point of ordered(points)) {
    const { needs = {}, build, owned } = point.options;
    if (built.has(point.name)) throw new TypeError(`Two things are called "${point.name}" in the container.`);
    const contributions = contributionsTo(point, addons);
    const withPlace = (problem: Problem): Problem => ({
      ...problem,
      ...placeOf(problem, point.options.names, contributions),
    });
    const duplicates: Problem[] = [];
    checkNames(point, contributions, (problem) => duplicates.push(withPlace(problem)));
    problems.push(...duplicates);
    // Anything else wrong with a duplicate declaration follows from the duplication.
    const report = (problem: Problem): void => {
      const placed = withPlace(problem);
      const isSame = ({ addon, file, line }: Problem): boolean =>
        line !== undefined && addon === placed.addon && file === placed.file && line === placed.line;
      if (!duplicates.some(isSame)) problems.push(placed);
    };
    const measured = contributions.map(({ addon, value }) => ({
      addon,
      value: owned ? meter.functions(addon.name, value) : value,
    }));
    built.set(
      point.name,
      await build({ contributions: measured, addons, needs: resolved(needs, built), pause, report }),
    );
    await pause();
  }
  const { container, problems: unmet } = buildContainer({
    values: Object.fromEntries(built),
    requestValues: options.requestValues,
    perRequest: Object.assign({}, ...points.map(({ name, options: { perRequest } }) => perRequest?.(built.get(name)))),
    addons: addons.map(({ name, definition: { services = [] } }) => ({
      addon: name,
      services: services.map((service) => meter.methods(name, service)),
    })),
  });
  const services = addons.map((addon) => ({ addon, value: addon.definition.services ?? [] }));
  const unmetNeeds = unmet.map((problem) => ({ ...problem, ...placeOf(problem, serviceNames, services) }));
  return { container, problems: withoutFollowUps([...problems, ...unmetNeeds], addons) };
}

/**
 * Drops problems that mention a field or model lost to another problem of the same addon or of a dependency: fixing the cause fixes them
 * too.
 */
function withoutFollowUps(problems: readonly Problem[], addons: readonly Addon[]): Problem[] {
  const byName = new Map(addons.map((addon) => [addon.name, addon]));
  const causes = problems.filter(({ lost }) => lost !== undefined);
  const follows = ({ addon, message }: Problem, cause: Problem): boolean => {
    const names = namesIn(message);
    const isNamed = cause.lost?.some((name) => names.some((path) => path === name || path.split('.').includes(name)));
    return isNamed === true && (addon === cause.addon || dependencyClosure(addon, byName).has(cause.addon));
  };
  const isCause = (problem: Problem): boolean =>
    problem.lost !== undefined || !causes.some((cause) => follows(problem, cause));
  return problems.filter(isCause).map(({ lost: _, ...problem }) => problem);
}

const serviceNames = {
  what: 'service',
  of: (services: readonly (ServiceClass | ServiceExtension)[]): string[] =>
    services.map((service) => keyOf('over' in service ? service.base : service).name),
};

/** Input for building a generation. */
export interface GenerationInput extends Pick<BuildOptions, 'values' | 'requestValues'> {
  readonly record: GenerationRecord;
  /** Addons to serve, in any order. */
  readonly addons: readonly Addon[];
  /** All addons on disk, to name missing ones. */
  readonly allAddons: readonly ListedAddon[];
  /** Points of the application; addons add their own. */
  readonly points: readonly ContributionPoint[];
}

/**
 * Builds every part of a generation from its addons and checks the parts against each other. Collects all problems of all addons; if there
 * are any, returns no generation. Pauses regularly so requests are served in between.
 */
export async function buildGeneration(input: GenerationInput): Promise<BuildResult> {
  const { record, values, requestValues } = input;
  const { ordered: addons, problems: disordered } = order(
    input.addons,
    input.allAddons.map(({ name }) => name),
  );
  const points = [...input.points, ...addons.flatMap(({ definition }) => definition.points ?? [])];
  const built = await buildPoints({ addons, points, values, requestValues, pause: createPause() });
  const problems = [...disordered, ...built.problems];
  if (problems.length === 0)
    return { generation: new Generation({ record, addons, points, container: built.container }), problems };
  await built.container.dispose();
  return { problems };
}

/** Contributions to points of an addon that the contributor doesn't depend on. */
function unreachable(addons: readonly Addon[]): Problem[] {
  const byName = new Map(addons.map((addon) => [addon.name, addon]));
  const owners = new Map(
    addons.flatMap(({ name, definition }) => (definition.points ?? []).map((point) => [point.name, name] as const)),
  );
  return addons.flatMap((addon) => {
    const reachable = dependencyClosure(addon.name, byName).add(addon.name);
    return Object.keys(addon.definition).flatMap((key): Problem[] => {
      const owner = owners.get(key);
      if (owner === undefined || reachable.has(owner)) return [];
      const message = `contributes to \`${key}\`, and does not depend on the addon "${owner}" that reads it.`;
      return [{ addon: addon.name, message, remedy: `Add "${owner}" to \`depends\`.` }];
    });
  });
}

/** Reports names declared twice, by two addons or by the same, and a second provider where only one is allowed. */
function checkNames(
  { name: key, options: { names, single } }: ContributionPoint,
  contributions: readonly Contribution<unknown>[],
  report: Report,
): void {
  const owners = new Map<string, string>();
  for (const { addon, value } of contributions) {
    for (const name of names?.of(value) ?? []) {
      const owner = owners.get(name);
      const where = owner === addon.name ? 'twice in this addon' : `also by addon ${owner}`;
      const message = `${names?.what} "${name}" is declared ${where}.`;
      if (owner) report({ addon: addon.name, message, remedy: 'Give one of them another name.' });
      else owners.set(name, addon.name);
    }
  }
  const [first, ...more] = single ? contributions : [];
  for (const { addon } of more) {
    const message = `provides \`${key}\`, which addon ${first?.addon.name} already provides.`;
    report({ addon: addon.name, message, remedy: 'Only one of them can be enabled.' });
  }
}

/** Declaration named by a problem; empty if the problem already has a place or names nothing of its addon. */
function placeOf(
  { addon: name, file, message }: Problem,
  names: ContributionPoint['options']['names'],
  contributions: readonly Contribution<unknown>[],
): Pick<Problem, 'file' | 'line'> {
  const { addon, value } = contributions.find((contribution) => contribution.addon.name === name) ?? {};
  if (file !== undefined || !names || !addon || !Array.isArray(value)) return {};
  const words = namesIn(message);
  // For a duplicate, the last declaration is the wrong one.
  const subject = words.findLast((word) => names.of(value).includes(word));
  const declaration: unknown = value.findLast((item) => subject !== undefined && names.of([item]).includes(subject));
  if ((typeof declaration !== 'object' && typeof declaration !== 'function') || declaration === null) return {};
  return declaredAt(
    declaration,
    addon,
    words.filter((word) => word !== subject),
    subject,
  );
}

function resolved<N extends Needs>(needs: N, built: ReadonlyMap<string, unknown>): Resolved<N> {
  const entries = Object.entries(needs).map(([property, need]) => {
    const { name, fallback } = keyOf(need);
    return [property, built.get(name) ?? fallback];
  });
  return Object.fromEntries(entries) as Resolved<N>;
}

/** Sorts points after the points they need. A circle is a bug in the points, not in an addon. */
function ordered(points: readonly ContributionPoint[]): ContributionPoint[] {
  const byName = new Map(points.map((point) => [point.name, point]));
  const neededPoints = ({ options }: ContributionPoint) =>
    Object.values((options.needs ?? {}) as Needs).flatMap((need) => byName.get(keyOf(need).name) ?? []);
  return inOrder(points, neededPoints, (circle) => {
    throw new TypeError(`Points need each other: ${circle.map(({ name }) => name).join(' → ')}`);
  });
}
