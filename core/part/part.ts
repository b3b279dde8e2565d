import type { Config, Log, PartConfig } from '../base/index.ts';
import type { ContextOptions, Ctx } from '../context/index.ts';
import type { Addon, ContributionPoint, GenerationRecord, Key } from '../kernel/index.ts';

/**
 * One capability of the platform, such as the database, mail or the job queue. The application is a loop over its parts and knows none of them by
 * name: a new part is one folder and one line in `parts.ts`.
 *
 * Parts that collect something from the others add a key by declaration merging, as the database does for `tables`:
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
  /** What addons may register with it. */
  readonly points?: readonly ContributionPoint[];
  /** Sets the part's values of the application. The values of `needs` and of the core are set already. */
  readonly provide?: (host: ProvidingHost) => void | Promise<void>;
  /**
   * Data stored with each generation, as JSON: what all processes must agree on besides the addons. Called for each new generation, and
   * when the site may have changed it.
   */
  readonly record?: (host: PartHost, change: RecordChange) => unknown;
  /** Values of one generation, by the names of their keys. Called each time a generation is built. */
  readonly generation?: (host: PartHost, build: GenerationBuild) => Readonly<Record<string, unknown>>;
  /** Members of `ctx`, each created on first access. */
  readonly context?: { readonly [Member in keyof Ctx]?: (ctx: Ctx) => Ctx[Member] };
  /** Completes what a request, job or command brings to its context, before its work begins. */
  readonly complete?: (host: PartHost, options: ContextOptions) => Promise<Partial<ContextOptions>>;
  /** Request values of a context, by the names of their keys. */
  readonly values?: (host: PartHost, options: ContextOptions) => Readonly<Record<string, unknown>>;
  readonly phases?: Phases;
  /** How what the part does goes on, for probes, figures and the health page. */
  readonly health?: (host: PartHost) => Promise<Partial<Health>>;
}

/** How a site is. Each part adds by declaration merging what it reports; a part that isn't listed reports nothing. */
// biome-ignore lint/suspicious/noEmptyInterface: parts fill it by declaration merging
export interface Health {}

/** When a part acts by itself. All are optional; those that end something are called in reverse order. */
export interface Phases {
  /** All values are set; no generation exists yet. */
  readonly start?: (host: PartHost) => Promise<void>;
  /** This process serves from now on: begins work beside requests. Not called for commands. */
  readonly ready?: (host: PartHost) => void | Promise<void>;
  /**
   * The process was told to stop; requests are still answered. Answers how long, in ms, they should be at least: until a balancer has noticed, where
   * other processes can take over.
   */
  readonly drain?: (host: PartHost) => Promise<number>;
  /** Ends work beside requests and waits for it. Generations may still be in use. */
  readonly stop?: (host: PartHost) => void | Promise<void>;
  /** Every generation has ended: closes connections. */
  readonly close?: (host: PartHost) => void | Promise<void>;
}

/** The application as its parts see it. */
export interface PartHost {
  readonly config: Config;
  readonly log: Log;
  /** All parts, each after those that it needs. */
  readonly parts: readonly Part[];
  /**
   * A value of the core or of a part.
   *
   * @throws Error if it isn't set yet, or no part sets it.
   */
  get<T>(key: Key<T>): T;
}

export interface ProvidingHost extends PartHost {
  /** @throws Error if another part has set it. */
  set<T>(key: Key<T>, value: T): void;
}

/** A generation that follows another one. */
export interface RecordChange {
  /** Data of the part in the previous generation; undefined for the first one. */
  readonly previous: unknown;
  /** Addons of the new generation. */
  readonly addons: readonly Addon[];
}

/** What a generation is built from. */
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
