import type { z } from 'zod';
import type { Problem } from '../base/index.ts';
import type { Addon } from './addon.ts';
import type { Contributions } from './contributions.ts';
import type { Key, Needs, Resolved } from './key.ts';
import type { Sentence } from './sentence.ts';

/** Value that one addon registers at a point. */
export interface Contribution<C> {
  readonly addon: Addon;
  readonly value: C;
}

/** Reports a problem of an addon; the generation won't be served. */
export type Report = (problem: Problem) => void;

/** Input for building a point. */
interface BuildInput<C, N extends Needs> {
  /** Values registered by the enabled addons, in dependency order. */
  readonly contributions: readonly Contribution<C>[];
  /** All enabled addons, for points that read files next to `addon.ts`. */
  readonly addons: readonly Addon[];
  readonly needs: Resolved<N>;
  /** Await it in long loops to let requests run in between. */
  readonly pause: () => Promise<void>;
  readonly report: Report;
}

/** A change that visitors or staff will notice when an addon is enabled or disabled, for the plan of a switch. */
export interface Change {
  readonly addon: string;
  /** Subject, used to group changes on screens: `route`. */
  readonly topic: string;
  readonly sentence: Sentence;
  /** The same for programs: `{ path, method }`. */
  readonly data: Readonly<Record<string, string | number | null>>;
}

export interface PointOptions<C, V, N extends Needs> {
  /** Shape of one addon's contribution, checked when the addon is discovered. Messages complete "`routes.0` …". */
  readonly shape?: z.ZodType;
  /** Names given by an addon at this point: they must start with its own name and be unique. `what` is used in messages: `job`. */
  readonly names?: { readonly what: string; readonly of: (value: C) => readonly string[] };
  /** Whether only one enabled addon may contribute. */
  readonly single?: boolean;
  readonly needs?: N;
  /** Whether functions of contributions run as code of their addon (see `addon-code.ts`), unless the point calls them itself by `inAddon`. */
  readonly owned?: boolean;
  /** Folders next to `addon.ts` whose files belong to the point: `templates`. */
  readonly folders?: readonly string[];
  /** Checks all contributions against each other and against the point's needs, and builds the value that a generation serves. */
  readonly build: (input: BuildInput<C, N>) => V | Promise<V>;
  /** Parts of the value that services get created for each request, by name: bound models. */
  readonly perRequest?: (value: V) => Readonly<Record<string, (cradle: Readonly<Record<string, unknown>>) => unknown>>;
  /** Changes people will notice when these addons are enabled or disabled; `value` belongs to the generation that contains them. */
  readonly changes?: (
    value: V,
    contributions: readonly Contribution<C>[],
    isEnabling: boolean,
    addons: readonly Addon[],
  ) => readonly Change[];
}

/** Something addons can contribute, and how all contributions are combined into a part of a generation. */
export interface ContributionPoint<V = unknown> extends Key<V> {
  readonly kind: 'point';
  // biome-ignore lint/suspicious/noExplicitAny: checked by `contributionPoint` where it is declared
  readonly options: PointOptions<any, any, any>;
}

/** Type of the contributions under a key; undefined if the point only reads files. */
type Registered<K extends string> = K extends keyof Contributions ? Contributions[K] : undefined;

/**
 * Declares a contribution point. `name` is the key in an addon's definition and the name of the value in the container.
 *
 * ```ts
 * export const jobs = contributionPoint('jobs', { needs: { groups }, build: ({ contributions, needs, report }) => … });
 * ```
 */
export function contributionPoint<const K extends string, V, const N extends Needs = Record<never, never>>(
  name: K,
  options: PointOptions<Registered<K>, V, N>,
): ContributionPoint<V> {
  return Object.freeze({ kind: 'point', name, options });
}

/** Contributions of these addons to a point. */
export function contributionsTo({ name }: ContributionPoint, addons: readonly Addon[]): Contribution<unknown>[] {
  return addons.flatMap((addon) => {
    const value: unknown = Reflect.get(addon.definition, name);
    return value === undefined ? [] : [{ addon, value }];
  });
}

/** Declares a point whose value lists all contributions in dependency order; arrays are flattened. Their functions run as code of their addons. */
export function listPoint<const K extends keyof Contributions & string>(
  name: K,
  options: Omit<PointOptions<Contributions[K], unknown, Record<never, never>>, 'build' | 'needs'> = {},
): ContributionPoint<readonly Item<Contributions[K]>[]> {
  const build = ({ contributions }: BuildInput<Contributions[K], Record<never, never>>) =>
    contributions.flatMap(({ value }) => value as unknown as readonly Item<Contributions[K]>[]);
  return contributionPoint(name, { owned: true, ...options, build } as never);
}
type Item<C> = C extends readonly (infer I)[] ? I : C;
