import type { Config, Log } from '../base/index.ts';
import { type Generation, type GenerationHolder, value } from '../kernel/index.ts';
import type { Ctx, Identity, OwnedContext, RequestAttributes } from './context.ts';
import type { ContextOptions } from './context-options.ts';
import { noSession } from './no-session.ts';
import { type ContextMembers, type ContextSource, contextFactory } from './request-context.ts';
import type { RequestValues, UnitOfWork, WriteHow } from './unit-of-work.ts';
import { values as coreValues } from './values.ts';

/** Identity for work without a user: jobs, commands and switches. */
const system: Identity = Object.freeze({
  id: null,
  partnerId: null,
  name: 'System',
  login: null,
  groups: new Set<string>(),
  lang: null,
  timezone: null,
});

/** Time zone of contexts for which no part provides one. */
const DEFAULT_ZONE = 'UTC';

/** Dependencies of all contexts of an application. */
export interface ContextEnvironment {
  readonly config: Config;
  readonly log: Log;
  readonly holder: Pick<GenerationHolder<Generation>, 'acquire'>;
  /** Members that parts add to contexts. */
  readonly members: ContextMembers;
  /** Completes the options of a context before its work starts, with time zones for example. */
  readonly complete: (options: ContextOptions) => Promise<Partial<ContextOptions>>;
  /** Request values that parts add to the values of the unit of work. */
  readonly values: (options: ContextOptions) => RequestValues;
  readonly unit: () => UnitOfWork;
}

/** Runs work in contexts: read-only, or in one transaction. */
export class Contexts {
  readonly #environment: ContextEnvironment;
  readonly #create: (source: ContextSource) => OwnedContext;

  constructor(environment: ContextEnvironment) {
    this.#environment = environment;
    this.#create = contextFactory(environment.members);
  }

  async read<T>(options: ContextOptions, work: (ctx: Ctx) => Promise<T>): Promise<T> {
    const completed = await this.#completed(options);
    return this.#environment.unit().read(completed, (values) => this.#within(completed, values, work));
  }

  async write<T>(options: ContextOptions, work: (ctx: Ctx) => Promise<T>, writeOptions: WriteHow = {}): Promise<T> {
    const completed = await this.#completed(options);
    return this.#environment.unit().write(completed, writeOptions, (values) => this.#within(completed, values, work));
  }

  /** Runs work as the system, with rights lifted, on the serving generation. */
  async asSystem<T>(access: 'read' | 'write', work: (ctx: Ctx) => Promise<T>, writeOptions?: WriteHow): Promise<T> {
    const { generation, release } = this.#environment.holder.acquire();
    try {
      return await this[access](this.systemOptions(generation), work, writeOptions);
    } finally {
      release();
    }
  }

  /** Creates a system context with these values of a unit of work: rights lifted, default language, UTC. */
  systemContext(generation: Generation, values: RequestValues): OwnedContext {
    return this.#context(this.systemOptions(generation), values);
  }

  systemOptions(generation: Generation, label = 'system'): ContextOptions {
    return {
      generation,
      identity: system,
      lang: generation.get(coreValues.languages)[0] ?? 'en_US',
      attributes: {} as RequestAttributes,
      session: noSession,
      log: this.#environment.log,
      su: true,
      label,
    };
  }

  async #completed(options: ContextOptions): Promise<ContextOptions> {
    return { ...options, ...(await this.#environment.complete(options)) };
  }

  async #within<T>(options: ContextOptions, values: RequestValues, work: (ctx: Ctx) => Promise<T>): Promise<T> {
    const { ctx, dispose } = this.#context(options, values);
    try {
      return await work(ctx);
    } finally {
      await dispose();
    }
  }

  #context(options: ContextOptions, values: RequestValues): OwnedContext {
    const { tracker = null, ...rest } = options;
    const { timezone = DEFAULT_ZONE, siteTimezone = DEFAULT_ZONE } = options;
    return this.#create({
      ...rest,
      config: this.#environment.config,
      timezone,
      siteTimezone,
      tracker,
      values: { ...this.#environment.values(options), ...values },
    });
  }
}

export const contexts = value<Contexts>('contexts');
