import type { Knex } from 'knex';
import { type Config, Conflict, type Log, Now, stackAbove } from '../base/index.ts';
import { followIdentity, followSession, type RowCache } from '../cache/index.ts';
import {
  type ContextChanges,
  type ContextInternals,
  type ContextOptions,
  type Ctx,
  type Identity,
  INTERNALS,
  type OwnedContext,
  type RateLimiter,
  type RequestAttributes,
  type SessionView,
  type Tracker,
} from '../context/index.ts';
import { type Connection, type Database, knexOn, type Transaction } from '../db/index.ts';
import type { FileStore } from '../files/index.ts';
import { Days, texts } from '../i18n/index.ts';
import { createJobQueue, type JobQueue } from '../jobs/index.ts';
import type { AddonManager, Key, KeyClass, Scope } from '../kernel/index.ts';
import { createMailQueue, type MailQueue } from '../mail/index.ts';
import {
  type AnyModel,
  type Id,
  type Ids,
  type ModelName,
  type ModelRef,
  type Models,
  models,
  resolveRef,
} from '../model/index.ts';
import type { Setting, SettingStore } from '../settings/index.ts';
import { uploadLimits } from './upload-limits.ts';
import { app } from './values.ts';

/** Parts of the application that every context of it shares. */
export interface ContextEnvironment {
  readonly config: Config;
  readonly log: Log;
  readonly database: Database;
  readonly files: FileStore;
  readonly settings: SettingStore;
  readonly limiter: RateLimiter;
  readonly rowCache: RowCache;
  readonly addonManager?: () => AddonManager;
  readonly asSystem?: ContextInternals['asSystem'];
}

/** What one request, job or command brings to its context. */
export interface ContextSource
  extends Omit<ContextOptions, 'label' | 'bounds' | 'log' | 'tracker' | 'cachedRows' | 'timezone' | 'siteTimezone'> {
  readonly timezone: string;
  readonly siteTimezone: string;
  readonly environment: ContextEnvironment;
  readonly connection: Connection;
  readonly transaction: Transaction | null;
  readonly tracker: Tracker | null;
  readonly rowCache: RowCache | null;
  readonly log?: Log;
  /** The addon whose code the context is made for: its own translations come first. */
  readonly addon?: string | null;
}

/** What all contexts of one request share: its time, and what has to be disposed when it ends. */
interface Shared {
  now: Now | null;
  readonly scopes: Scope[];
}

/** Makes the context of one request (or job, or command). */
export function createContext(source: ContextSource): OwnedContext {
  const shared: Shared = { now: null, scopes: [] };
  return {
    ctx: new RequestContext(source, shared),
    dispose: async () => {
      await Promise.all(shared.scopes.map((scope) => scope.dispose()));
    },
  };
}

class RequestContext implements Ctx {
  readonly user: Identity;
  readonly lang: string;
  readonly timezone: string;
  readonly siteTimezone: string;
  readonly attributes: Readonly<RequestAttributes>;
  readonly config: Config;
  readonly log: Log;
  readonly session: SessionView;
  readonly network: string | null;
  readonly writes: boolean;
  readonly su: boolean;
  readonly [INTERNALS]: ContextInternals;
  readonly #source: ContextSource;
  readonly #shared: Shared;
  #scope: Scope | null = null;
  #jobs: JobQueue | null = null;
  #mail: MailQueue | null = null;
  #files: FileStore | null = null;
  #db: Knex | null = null;
  #inDomains: Map<string, Ctx> | null = null;

  constructor(source: ContextSource, shared: Shared) {
    const { environment, generation, connection, transaction, tracker, rowCache } = source;
    this.#source = source;
    this.#shared = shared;
    this.user = source.identity;
    this.lang = source.lang;
    this.timezone = source.timezone;
    this.siteTimezone = source.siteTimezone;
    this.attributes = source.attributes;
    this.config = environment.config;
    this.log = source.log ?? environment.log;
    this.session = source.session;
    this.network = source.network ?? null;
    this.writes = transaction !== null;
    this.su = source.su ?? false;
    this[INTERNALS] = {
      generation,
      models: generation.get(models),
      database: environment.database,
      connection,
      transaction,
      tracker,
      rowCache,
      limiter: environment.limiter,
      system: (recorder, here) => this.#system(recorder, here),
      addonManager: environment.addonManager,
      asSystem: environment.asSystem,
      inDomain: (addon) => this.#inDomainOf(addon),
      followed: (addon, recorder) => this.#followed(addon, recorder),
      bound: new Map(),
    };
  }

  /** One for each addon, so that what its blocks of a page share is made once. */
  #inDomainOf(addon: string): Ctx {
    if (addon === this.#source.addon) return this;
    this.#inDomains ??= new Map();
    const known = this.#inDomains.get(addon);
    if (known) return known;
    const made = new RequestContext({ ...this.#source, addon }, this.#shared);
    this.#inDomains.set(addon, made);
    return made;
  }

  #followed(addon: string, tracker: Tracker): Ctx {
    const identity = followIdentity(this.user, tracker);
    const session = followSession(this.session, tracker);
    return new RequestContext({ ...this.#source, identity, session, addon, tracker }, this.#shared);
  }

  #system(tracker: Tracker | null, here: boolean): Ctx {
    const { environment, generation } = this.#source;
    const place = here ? {} : { connection: environment.database.reader, transaction: null };
    const lang = generation.get(app.languages)[0] ?? this.lang;
    return new RequestContext({ ...this.#source, ...place, tracker, lang, timezone: 'UTC', su: true }, this.#shared);
  }

  get jobs(): JobQueue {
    this.#jobs ??= createJobQueue(this);
    return this.#jobs;
  }

  get mail(): MailQueue {
    this.#mail ??= createMailQueue(this);
    return this.#mail;
  }

  get files(): FileStore {
    this.#files ??= this.#source.environment.files.of(this.user.id ?? this.network, () => uploadLimits(this));
    return this.#files;
  }

  get db(): Knex {
    const { database, connection, transaction, tracker } = this[INTERNALS];
    this.#db ??= knexOn(database.knex, connection, ({ writes, table }) => {
      if (writes && table) transaction?.touch(table);
      // Which tables any SQL reads cannot be told from its text.
      tracker?.personal('reads with ctx.db');
    });
    return this.#db;
  }

  get settings(): Ctx['settings'] {
    const store = this.#source.environment.settings;
    return {
      get: <T>(setting: Setting<T>): Promise<T> => store.get(this, setting),
      set: <T>(setting: Setting<T>, value: T): Promise<void> => store.set(this, setting, value),
    };
  }

  model<I>(ref: ModelRef<I>): I;
  model<N extends ModelName>(name: N): Models[N];
  model(ref: ModelRef | string): unknown {
    return this.modelNamed(nameOf(ref));
  }

  modelNamed(name: string): AnyModel {
    const { bound } = this[INTERNALS];
    const known = bound.get(name);
    if (known) return known as AnyModel;
    const made = this[INTERNALS].models.model(this, name);
    bound.set(name, made);
    return made;
  }

  get<T>(key: Key<T> | KeyClass<T>): T {
    if (!this.#scope) {
      this.#scope = this[INTERNALS].generation.scope({ [app.ctx.name]: this });
      this.#shared.scopes.push(this.#scope);
    }
    return this.#scope.get(key);
  }

  has(group: string): boolean {
    return this.su || this.user.groups.has(group);
  }

  sudo(): Ctx {
    return this.su ? this : new RequestContext({ ...this.#source, su: true }, this.#shared);
  }

  as(changes: ContextChanges): Ctx {
    const { lang = this.lang, timezone = this.timezone, siteTimezone = this.siteTimezone, user = this.user } = changes;
    const attributes = { ...this.attributes, ...changes.attributes };
    // Another user's context never inherits lifted rights.
    const su = changes.user ? false : this.su;
    const changed = { lang, timezone, siteTimezone, identity: user, attributes, su };
    return new RequestContext({ ...this.#source, ...changed }, this.#shared);
  }

  now(): Now {
    this.#shared.now ??= new Now();
    return this.#shared.now;
  }

  isPast(moment: Date): boolean {
    if (moment <= this.now()) return true;
    this[INTERNALS].tracker?.until(moment);
    return false;
  }

  today(timezone: string = this.timezone): string {
    const { tracker, models: registry } = this[INTERNALS];
    const days = registry.memo(`days:${timezone}`, () => new Days(timezone));
    const { text, until } = days.at(this.now().getTime());
    tracker?.until(new Date(until));
    return text;
  }

  t(text: string, params: Readonly<Record<string, string | number>> = {}): string {
    const catalogs = this[INTERNALS].generation.get(texts);
    const domain = catalogs.textDomain(this.lang, text, () => stackAbove(this.t).stack) ?? this.#source.addon ?? null;
    return catalogs.translate(this.lang, domain, text, params);
  }

  plural(one: string, other: string, n: number, params: Readonly<Record<string, string | number>> = {}): string {
    const catalogs = this[INTERNALS].generation.get(texts);
    const domain =
      catalogs.textDomain(this.lang, one, () => stackAbove(this.plural).stack) ?? this.#source.addon ?? null;
    return catalogs.plural(this.lang, domain, one, other, n, params);
  }

  async lock(model: ModelRef | string, ids: Ids): Promise<void> {
    await this.#transaction().lock(this[INTERNALS].models.need(nameOf(model)).table, ids);
  }

  lineUp(model: ModelRef | string, ids: Ids): void {
    this.#transaction().lineUp(this[INTERNALS].models.need(nameOf(model)).table, ids);
  }

  afterCommit(effect: () => void | Promise<void>): void {
    const { transaction } = this[INTERNALS];
    if (transaction) {
      transaction.afterCommit(effect);
      return;
    }
    // Nothing is being written, so there is nothing to wait for; a failure belongs in the log like one after a commit.
    Promise.resolve()
      .then(effect)
      .catch((error: unknown) => this.log.error({ err: error }, 'An effect failed'));
  }

  savepoint<T>(work: () => Promise<T>): Promise<T> {
    return this.#transaction().savepoint(work);
  }

  async ref(externalId: string): Promise<Id> {
    return resolveRef(this, externalId);
  }

  #transaction(): Transaction {
    const { transaction } = this[INTERNALS];
    if (transaction) return transaction;
    throw new Conflict(
      'This needs a transaction, and the route, method or job that runs does not write. Declare it with `writes: true`.',
      {
        code: 'core.context_does_not_write',
      },
    );
  }
}

function nameOf(model: ModelRef | string): string {
  return typeof model === 'string' ? model : model.modelName;
}
