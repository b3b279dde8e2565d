import type { Config, Log } from '../base/index.ts';
import {
  type ContextMembers,
  type ContextOptions,
  Contexts,
  contexts,
  type RequestValues,
  unitOfWork,
  values,
} from '../context/index.ts';
import {
  type Addon,
  type ContributionPoint,
  type Discovery,
  discovery,
  type Generation,
  type GenerationHolder,
  type GenerationRecord,
  generations,
  type Key,
} from '../kernel/index.ts';
import { inNeedOrder } from './order.ts';
import type { GenerationBuild, Part, Phases, ProvidingHost } from './part.ts';

/** How long a phase of one part may take while the process ends, in ms. */
const END_MS = 20_000;

/** Requests are answered for at least so long after the process was told to stop, in ms. */
const LEAST_GRACE_MS = 300;

/** The parts of one application with their values. All it does is loop over the parts. */
export class Parts implements ProvidingHost {
  readonly config: Config;
  readonly log: Log;
  /** Each after those that it needs. */
  readonly parts: readonly Part[];
  readonly #values = new Map<string, unknown>();
  /** Those that have provided their values, in that order: only they have something to end. */
  readonly #provided: Part[] = [];
  readonly #completing: readonly NonNullable<Part['complete']>[];
  readonly #valuing: readonly NonNullable<Part['values']>[];

  /** @throws TypeError if the parts don't fit together. */
  constructor(config: Config, log: Log, parts: readonly Part[]) {
    this.config = config;
    this.log = log;
    this.parts = inNeedOrder(parts);
    this.#completing = this.parts.flatMap(({ complete }) => complete ?? []);
    this.#valuing = this.parts.flatMap((part) => part.values ?? []);
  }

  readonly get = <T>({ name }: Key<T>): T => {
    if (this.#values.has(name)) return this.#values.get(name) as T;
    throw new Error(`"${name}" isn't set: no part of this application provides it, or not yet.`);
  };

  readonly set = <T>({ name }: Key<T>, value: T): void => {
    if (this.#values.has(name)) throw new TypeError(`Two parts provide "${name}".`);
    this.#values.set(name, value);
  };

  /** The values of the application and those of one generation, by the names of their keys. */
  valuesFor(build: GenerationBuild): Readonly<Record<string, unknown>> {
    const own = this.parts.map(({ generation }) => generation?.(this, build));
    return Object.assign(Object.fromEntries(this.#values), ...own);
  }

  /** Data of all parts for the generation that follows `previous`, or for the first one; see `record` of a part. */
  async recordData(previous: GenerationRecord | null, addons: readonly Addon[]): Promise<GenerationRecord['data']> {
    const data: Record<string, unknown> = {};
    for (const { name, record } of this.parts)
      if (record) data[name] = await record(this, { previous: previous?.data[name], addons });
    return data;
  }

  /** Sets the values of the core, then those of each part. */
  async provide(core: { readonly addons: Discovery; readonly holder: GenerationHolder<Generation> }): Promise<void> {
    const { config, log } = this;
    this.set(values.config, config);
    this.set(values.log, log);
    this.set(discovery, core.addons);
    this.set(generations, core.holder);
    this.set(
      contexts,
      new Contexts({
        config,
        log,
        holder: core.holder,
        members: Object.assign({}, ...this.parts.map(({ context }) => context)) as ContextMembers,
        complete: (options) => this.#complete(options),
        values: (options) => this.#requestValues(options),
        unit: () => this.get(unitOfWork),
      }),
    );
    for (const part of this.parts) {
      await part.provide?.(this);
      this.#provided.push(part);
    }
  }

  /** What parts add to the options of a context. */
  async #complete(options: ContextOptions): Promise<Partial<ContextOptions>> {
    return Object.assign({}, ...(await Promise.all(this.#completing.map((complete) => complete(this, options)))));
  }

  #requestValues(options: ContextOptions): RequestValues {
    return Object.assign({}, ...this.#valuing.map((valuesOf) => valuesOf(this, options)));
  }

  /** Runs a phase that begins something, of each part after those that it needs. */
  async begin(phase: 'start' | 'ready'): Promise<void> {
    for (const { phases } of this.parts) await phases?.[phase]?.(this);
  }

  /** Tells all parts that the process is about to stop. Answers how long, in ms, it should still answer. */
  async drain(): Promise<number> {
    const waits = this.#provided.toReversed().map(async ({ name, phases }) => {
      try {
        return (await phases?.drain?.(this)) ?? 0;
      } catch (error) {
        this.log.warn({ err: error, part: name }, 'A part could not be told that the process is about to stop');
        return 0;
      }
    });
    return Math.max(LEAST_GRACE_MS, ...(await Promise.all(waits)));
  }

  /** Runs a phase that ends something, in reverse order. What fails or hangs is logged, and the next part has its turn. */
  async end(phase: 'stop' | 'close'): Promise<void> {
    for (const part of this.#provided.toReversed()) await this.#endOne(part, phase);
  }

  async #endOne({ name, phases }: Part, phase: 'stop' | 'close'): Promise<void> {
    const act: Phases['stop'] = phases?.[phase];
    if (!act) return;
    const { promise, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new Error(`took more than ${END_MS / 1000} s`)), END_MS);
    try {
      await Promise.race([act(this), promise]);
    } catch (error) {
      this.log.error({ err: error, part: name, phase }, 'A part did not end cleanly');
    } finally {
      clearTimeout(timer);
    }
  }
}

/** The contribution points of these parts, in the order in which the parts need each other. */
export function pointsOf(parts: readonly Part[]): readonly ContributionPoint[] {
  return inNeedOrder(parts).flatMap(({ points = [] }) => points);
}
