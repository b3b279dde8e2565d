import type { z } from 'zod';
import type { Problem } from '../base/index.ts';
import type { Addon } from './addon.ts';
import type { Contributions } from './contributions.ts';
import type { Key, Needs, Resolved } from './key.ts';
import type { Sentence } from './sentence.ts';

/** What one addon registers at a point. */
export interface Contribution<C> {
  readonly addon: Addon;
  readonly value: C;
}

/** Tells of something wrong with an addon; the generation is then not served. */
export type Report = (problem: Problem) => void;

/** What building a point is given. */
interface BuildInput<C, N extends Needs> {
  /** What the enabled addons registered, in dependency order. */
  readonly contributions: readonly Contribution<C>[];
  /** All enabled addons, for points that read files beside `addon.ts`. */
  readonly addons: readonly Addon[];
  readonly needs: Resolved<N>;
  /** Awaited in long loops: lets requests in between. */
  readonly pause: () => Promise<void>;
  readonly report: Report;
}

/** One thing that visitors or staff meet, or no longer meet, when an addon comes or goes: for the plan of a switch. */
export interface Change {
  readonly addon: string;
  /** What it is about, for screens that group by it: `route`. */
  readonly topic: string;
  readonly sentence: Sentence;
  /** The same for programs: `{ path, method }`. */
  readonly data: Readonly<Record<string, string | number | null>>;
}

export interface PointOptions<C, V, N extends Needs> {
  /** What one addon may register, checked when the addon is found. Its messages complete "`routes.0` …". */
  readonly shape?: z.ZodType;
  /** Names that an addon gives here: they begin with its own, and no two are alike. `what` is for the message: `job`. */
  readonly names?: { readonly what: string; readonly of: (value: C) => readonly string[] };
  /** Whether only one enabled addon may register anything. */
  readonly single?: boolean;
  readonly needs?: N;
  /** Folders beside `addon.ts` whose files belong to it: `templates`. */
  readonly folders?: readonly string[];
  /** Checks all contributions against each other and against what it needs, and makes of them what a generation serves. */
  readonly build: (input: BuildInput<C, N>) => V | Promise<V>;
  /** What of the value services get made anew for each request, by name: bound models. */
  readonly perRequest?: (value: V) => Readonly<Record<string, (cradle: Readonly<Record<string, unknown>>) => unknown>>;
  /** What changes for people when these addons come (or go); `value` is of the generation that has them. */
  readonly changes?: (
    value: V,
    contributions: readonly Contribution<C>[],
    comes: boolean,
    addons: readonly Addon[],
  ) => readonly Change[];
}

/** A kind of thing that addons may register, and how all of them together become a part of a generation. */
export interface ContributionPoint<V = unknown> extends Key<V> {
  readonly kind: 'point';
  // biome-ignore lint/suspicious/noExplicitAny: checked where it is declared, by `contributionPoint`
  readonly options: PointOptions<any, any, any>;
}

/** What an addon registers under a key; nothing where the point reads only files. */
type Registered<K extends string> = K extends keyof Contributions ? Contributions[K] : undefined;

/**
 * Declares a contribution point. `name` is the key in an addon's definition, and the value's name in the container.
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

/** What these addons register at a point. */
export function contributionsTo({ name }: ContributionPoint, addons: readonly Addon[]): Contribution<unknown>[] {
  return addons.flatMap((addon) => {
    const value: unknown = Reflect.get(addon.definition, name);
    return value === undefined ? [] : [{ addon, value }];
  });
}

/** A point whose value is what all addons registered, in their order: a list of lists is one list. */
export function listPoint<const K extends keyof Contributions & string>(
  name: K,
  options: Omit<PointOptions<Contributions[K], unknown, Record<never, never>>, 'build' | 'needs'> = {},
): ContributionPoint<readonly Item<Contributions[K]>[]> {
  const build = ({ contributions }: BuildInput<Contributions[K], Record<never, never>>) =>
    contributions.flatMap(({ value }) => value as unknown as readonly Item<Contributions[K]>[]);
  return contributionPoint(name, { ...options, build } as never);
}
type Item<C> = C extends readonly (infer I)[] ? I : C;
