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

/** Time limit for a phase of one part while the process ends, in ms. */
const END_MS = 20_000;

/** Minimum time to keep answering requests after a stop signal, in ms. */
const MIN_GRACE_MS = 300;

/** The parts of one application with their values: nothing but a loop over the parts. */
export class Parts implements ProvidingHost {
  readonly config: Config;
  readonly log: Log;
  /** Each part after the parts it needs. */
  readonly parts: readonly Part[];
  readonly #values = new Map<string, unknown>();
  /** Parts that have provided their values, in order: only these must be ended. */
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

  readonly get = <T>({ name, fallback }: Key<T>): T => {
    if (this.#values.has(name)) return this.#values.get(name) as T;
    if (fallback !== undefined) return fallback;
    throw new Error(`"${name}" isn't set: no part of this application provides it, or not yet.`);
  };

  readonly set = <T>({ name }: Key<T>, value: T): void => {
    if (this.#values.has(name)) throw new TypeError(`Two parts provide "${name}".`);
    this.#values.set(name, value);
  };

  /** Returns the values of the application and of one generation, by key name. */
  valuesFor(build: GenerationBuild): Readonly<Record<string, unknown>> {
    const partValues = this.parts.map(({ generation }) => generation?.(this, build));
    return Object.assign(Object.fromEntries(this.#values), ...partValues);
  }

  /** Data of all parts for the generation that follows `previous`, or for the first one; see `record` of a part. */
  async recordData(previous: GenerationRecord | null, addons: readonly Addon[]): Promise<GenerationRecord['data']> {
    const data: Record<string, unknown> = {};
    for (const { name, record } of this.parts)
      if (record) data[name] = await record(this, { previous: previous?.data[name], addons });
    return data;
  }

  /** Sets the values of the core, then the values of each part. */
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

  /** Collects what parts add to the options of a context. */
  async #complete(options: ContextOptions): Promise<Partial<ContextOptions>> {
    return Object.assign({}, ...(await Promise.all(this.#completing.map((complete) => complete(this, options)))));
  }

  #requestValues(options: ContextOptions): RequestValues {
    return Object.assign({}, ...this.#valuing.map((valuesOf) => valuesOf(this, options)));
  }

  /** Runs a starting phase, of each part after the parts it needs. */
  async begin(phase: 'start' | 'ready'): Promise<void> {
    for (const { phases } of this.parts) await phases?.[phase]?.(this);
  }

  /** Announces to all parts that the process is about to stop. Returns how long, in ms, it should keep answering. */
  async drain(): Promise<number> {
    const graceTimes = this.#provided.toReversed().map(async ({ name, phases }) => {
      try {
        return (await phases?.drain?.(this)) ?? 0;
      } catch (error) {
        this.log.warn({ err: error, part: name }, 'A part failed while preparing to stop');
        return 0;
      }
    });
    return Math.max(MIN_GRACE_MS, ...(await Promise.all(graceTimes)));
  }

  /** Runs an ending phase in reverse order. Logs parts that fail or hang, and continues with the next. */
  async end(phase: 'stop' | 'close'): Promise<void> {
    for (const part of this.#provided.toReversed()) await this.#endPart(part, phase);
  }

  async #endPart({ name, phases }: Part, phase: 'stop' | 'close'): Promise<void> {
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

/** Returns the contribution points of these parts, in dependency order of the parts. */
export function pointsOf(parts: readonly Part[]): readonly ContributionPoint[] {
  return inNeedOrder(parts).flatMap(({ points = [] }) => points);
}
