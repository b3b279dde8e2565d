import type { Config, Log, PartConfig } from '../base/index.ts';
import type { ContextOptions, Ctx } from '../context/index.ts';
import type { Addon, ContributionPoint, GenerationRecord, Key } from '../kernel/index.ts';

/**
 * One capability of the platform, such as the database, mail or the job queue. The application is a loop over its parts and knows none of
 * them by name: a new part is one folder and one line in `parts.ts`.
 *
 * Parts that collect contributions of other parts add a key by declaration merging, as the database does for `tables`:
 *
 * ```ts
 * declare module '../part/part.ts' { interface PartOptions { readonly tables?: readonly TableSpec[] } }
 * ```
 */
export interface PartOptions {
  /** Name of its folder. */
  readonly name: string;
  /** Parts that are built and started before this one, and stopped after it. */
  readonly needs?: readonly Part[];
  /** Its own environment variables: `partConfig({ … }, (values) => ({ … }))`. */
  readonly config?: PartConfig;
  /** Contribution points for addons. */
  readonly points?: readonly ContributionPoint[];
  /** Sets the part's application values. The values of the core and of `needs` are already set. */
  readonly provide?: (host: ProvidingHost) => void | Promise<void>;
  /**
   * Data stored with each generation, as JSON: what all processes must agree on besides the addons. Called for each new generation, and
   * when the site may have changed it.
   */
  readonly record?: (host: PartHost, change: RecordChange) => unknown;
  /** Values of one generation, by key name. Called for each generation that is built. */
  readonly generation?: (host: PartHost, build: GenerationBuild) => Readonly<Record<string, unknown>>;
  /** Members of `ctx`, each created on first access. */
  readonly context?: { readonly [Member in keyof Ctx]?: (ctx: Ctx) => Ctx[Member] };
  /** Completes the options of a request, job or command before its work starts. */
  readonly complete?: (host: PartHost, options: ContextOptions) => Promise<Partial<ContextOptions>>;
  /** Request values of a context, by key name. */
  readonly values?: (host: PartHost, options: ContextOptions) => Readonly<Record<string, unknown>>;
  readonly phases?: Phases;
  /** State of the part, for probes, metrics and the health page. */
  readonly health?: (host: PartHost) => Promise<Partial<Health>>;
}

/** Health of a site. Each part adds its report by declaration merging; parts that aren't listed report nothing. */
// biome-ignore lint/suspicious/noEmptyInterface: parts fill it by declaration merging
export interface Health {}

/** Phases of the process in which a part acts. All are optional; ending phases run in reverse order. */
export interface Phases {
  /** All values are set; no generation exists yet. */
  readonly start?: (host: PartHost) => Promise<void>;
  /** This process is serving: starts background work. Not called for commands. */
  readonly ready?: (host: PartHost) => void | Promise<void>;
  /**
   * The process is stopping; requests are still answered. Returns the minimum time, in ms, to keep answering: until a load balancer has
   * noticed, if other processes can take over.
   */
  readonly drain?: (host: PartHost) => Promise<number>;
  /** Stops background work and waits for it. Generations may still be in use. */
  readonly stop?: (host: PartHost) => void | Promise<void>;
  /** Every generation has ended: closes connections. */
  readonly close?: (host: PartHost) => void | Promise<void>;
}

/** The application as seen by its parts. */
export interface PartHost {
  readonly config: Config;
  readonly log: Log;
  /** All parts, each after the parts it needs. */
  readonly parts: readonly Part[];
  /**
   * Returns a value of the core or of a part.
   *
   * @throws Error if it isn't set yet, or no part sets it.
   */
  get<T>(key: Key<T>): T;
}

export interface ProvidingHost extends PartHost {
  /** @throws Error if another part has set it. */
  set<T>(key: Key<T>, value: T): void;
}

/** Transition to a new generation. */
export interface RecordChange {
  /** Data of the part in the previous generation; undefined for the first one. */
  readonly previous: unknown;
  /** Addons of the new generation. */
  readonly addons: readonly Addon[];
}

/** Input for the values of a generation. */
export interface GenerationBuild {
  readonly record: GenerationRecord;
}

export interface Part extends Readonly<PartOptions> {
  readonly kind: 'part';
}

/**
 * Declares a part; see {@link PartOptions}.
 *
 * ```ts
 * export const jobsPart = definePart({ name: 'jobs', needs: [dbPart], points: [jobs], context: { jobs: (ctx) => createJobQueue(ctx) } });
 * ```
 */
export function definePart(options: PartOptions): Part {
  return Object.freeze({ kind: 'part', ...options });
}
