import { type Config, type Log, Now } from '../base/index.ts';
import { type Key, type KeyClass, keyOf, type Scope } from '../kernel/index.ts';
import type { ContextChanges, Ctx, Identity, OwnedContext, RequestAttributes, SessionView } from './context.ts';
import type { ContextOptions } from './context-options.ts';
import { type ContextTools, contextTools } from './context-tools.ts';
import type { RequestValues } from './unit-of-work.ts';
import { values as coreValues } from './values.ts';

/** Data of one request, job or command for its context. */
export interface ContextSource extends Omit<ContextOptions, 'label' | 'tracker' | 'timezone' | 'siteTimezone'> {
  readonly config: Config;
  readonly timezone: string;
  readonly siteTimezone: string;
  readonly tracker: ContextTools['tracker'];
  readonly values: RequestValues;
}

/** Members that parts add to contexts, each created on first access. */
export type ContextMembers = Readonly<Record<string, (ctx: Ctx) => unknown>>;

/** State shared by all contexts of one request: its time, and the scopes to dispose when it ends. */
interface Shared {
  now: Now | null;
  readonly scopes: Scope[];
}

/** Creates the function that creates the contexts of an application. */
export function contextFactory(members: ContextMembers): (source: ContextSource) => OwnedContext {
  class ApplicationContext extends CoreContext {}
  for (const [index, [name, create]] of Object.entries(members).entries()) {
    const get = function get(this: ApplicationContext): unknown {
      this.members[index] ??= create(this.ctx);
      return this.members[index];
    };
    Object.defineProperty(ApplicationContext.prototype, name, { get });
  }
  return (source) => {
    const shared: Shared = { now: null, scopes: [] };
    return {
      ctx: new ApplicationContext(source, shared).ctx,
      dispose: async () => {
        await Promise.all(shared.scopes.map((scope) => scope.dispose()));
      },
    };
  };
}

/** A context without the members of parts. */
class CoreContext {
  readonly user: Identity;
  readonly lang: string;
  readonly timezone: string;
  readonly siteTimezone: string;
  readonly attributes: Readonly<RequestAttributes>;
  readonly config: Config;
  readonly log: Log;
  readonly session: SessionView;
  readonly network: string | null;
  readonly su: boolean;
  /** Members of parts created so far, by index. */
  readonly members: unknown[] = [];
  /** This context with the members of parts. Objects that inherit from a context, as in tests, share its members. */
  readonly ctx = this as unknown as Ctx;
  readonly #source: ContextSource;
  readonly #shared: Shared;
  readonly #tools: ContextTools;
  #scope: Scope | null = null;

  constructor(source: ContextSource, shared: Shared) {
    this.#source = source;
    this.#shared = shared;
    this.user = source.identity;
    this.lang = source.lang;
    this.timezone = source.timezone;
    this.siteTimezone = source.siteTimezone;
    this.attributes = source.attributes;
    this.config = source.config;
    this.log = source.log;
    this.session = source.session;
    this.network = source.network ?? null;
    this.su = source.su ?? false;
    this.#tools = {
      generation: source.generation,
      tracker: source.tracker,
      memo: new Map(),
      derive: ({ values, ...changes }) =>
        this.#derived({ ...changes, ...(values && { values: { ...source.values, ...values } }) }),
    };
  }

  get<T>(key: Key<T> | KeyClass<T>): T {
    const { kind, name } = keyOf(key);
    if (kind === 'request') {
      if (name === contextTools.name) return this.#tools as T;
      if (name in this.#source.values) return this.#source.values[name] as T;
    } else if (kind !== 'service') return this.#source.generation.get(key);
    if (!this.#scope) {
      this.#scope = this.#source.generation.scope({ [coreValues.ctx.name]: this });
      this.#shared.scopes.push(this.#scope);
    }
    return this.#scope.get(key);
  }

  has(group: string): boolean {
    return this.su || this.user.groups.has(group);
  }

  sudo(): Ctx {
    return this.su ? this.ctx : this.#derived({ su: true });
  }

  as(changes: ContextChanges): Ctx {
    const { lang = this.lang, timezone = this.timezone, siteTimezone = this.siteTimezone, user = this.user } = changes;
    const attributes = { ...this.attributes, ...changes.attributes };
    // Another user's context never inherits lifted rights.
    const su = changes.user ? false : this.su;
    return this.#derived({ lang, timezone, siteTimezone, identity: user, attributes, su });
  }

  now(): Now {
    this.#shared.now ??= new Now();
    return this.#shared.now;
  }

  isPast(moment: Date): boolean {
    if (moment <= this.now()) return true;
    this.#source.tracker?.until(moment);
    return false;
  }

  #derived(changes: Partial<ContextSource>): Ctx {
    const Context = this.constructor as typeof CoreContext;
    return new Context({ ...this.#source, ...changes }, this.#shared).ctx;
  }
}
