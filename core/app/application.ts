import { basename, join } from 'node:path';
import {
  addonFolders,
  addonRoots,
  type BuildMemory,
  type Config,
  Conflict,
  closeDataFolder,
  describeProblem,
  keepLongStacks,
  type Log,
  lastingMemory,
  listAddonFolders,
  type Problem,
  repository,
  rootCauses,
  withSources,
} from '../base/index.ts';
import { type ContextOptions, type Ctx, contexts, type WriteHow } from '../context/index.ts';
import {
  type Addon,
  addonStorage,
  addonSwitches,
  changedSince,
  codeStamp,
  createAddonManager,
  createGenerationHolder,
  createLifecycle,
  type Discovery,
  discover,
  type FreshProcess,
  type Generation,
  type GenerationHolder,
  type GenerationRecord,
  type Key,
  type Lifecycle,
  lifecycle,
  type StartUp,
} from '../kernel/index.ts';
import { type Part, Parts } from '../part/index.ts';
import { type BuildCache, type BuildInput, buildApplication } from './generation-builder.ts';
import { allPoints } from './points.ts';
import { startChecks } from './start-checks.ts';

export interface ApplicationOptions {
  readonly log: Log;
  /** In any order. */
  readonly parts: readonly Part[];
  /** Folders of addons; defaults to the repository's and those in ADDONS_PATH. */
  readonly roots?: readonly string[];
  /** Addons to enable in an empty database; defaults to all addons of the repository. */
  readonly install?: readonly string[];
  /** Called when the site moves to addon versions that only a fresh process can load. */
  readonly onOutdated?: () => void;
  /** Runs switches that need code newer than loaded by this process, which `replace` then replaces. */
  readonly createFreshProcess?: (roots: readonly string[], replace: () => void) => FreshProcess;
  readonly codeFollower?: CodeFollower;
  /** Loads the code of all addons without asking what it can do, for tools that check it. */
  readonly trusted?: boolean;
}

/** Makes the database follow the code while it is developed, even if no version was raised. */
export interface CodeFollower {
  /** Why nothing is served, or why the database doesn't match the code. */
  readonly problems: readonly Problem[];
  /** Waits for the start, which may fail, and updates the database for everything pages depend on. */
  start(application: Application, starting: Promise<StartUp>): Promise<void>;
  /** Updates the rest while the application serves, so a saved change is visible at once. */
  follow(): Promise<void>;
}

/** Keeps a generation from being disposed until it is released. */
export interface GenerationLease {
  readonly generation: Generation;
  release(): void;
}

/**
 * The application: everything between the configuration and the sockets. One process can run several applications, and several processes
 * can serve one site.
 */
export interface Application {
  readonly config: Config;
  readonly log: Log;
  /**
   * Returns a value of a part, or one shared by all generations: `application.get(database)`.
   *
   * @throws Error if no part of the application provides it.
   */
  get<T>(key: Key<T>): T;
  /** The generation that is serving. */
  readonly generation: Generation;
  /** Whether a generation is serving. */
  readonly ready: boolean;
  /** Whether the process is stopping; requests are still answered. */
  readonly draining: boolean;
  /** Reasons why this process can't serve properly; empty if it can. Fast, never waits. */
  readonly unready: readonly string[];
  /** During development: saved code that isn't being served, and why; otherwise empty. */
  readonly problems: readonly Problem[];
  readonly discovery: Discovery;
  /** Folders to search for addons. */
  readonly roots: readonly string[];
  readonly lifecycle: Lifecycle;
  lease(): GenerationLease;
  /** Calls `listener` with each new generation that serves. Returns an unsubscribe function. */
  onSwitch(listener: (generation: Generation) => void): () => void;
  read<T>(options: ContextOptions, work: (ctx: Ctx) => Promise<T>): Promise<T>;
  /** Runs work in one transaction; it may be retried from the start. */
  write<T>(options: ContextOptions, work: (ctx: Ctx) => Promise<T>, how?: WriteHow): Promise<T>;
  /** Runs work as the system, with rights lifted; `how` applies to writes. */
  asSystem<T>(access: 'read' | 'write', work: (ctx: Ctx) => Promise<T>, how?: WriteHow): Promise<T>;
  /**
   * Runs the addons' `startChecks`. Separate from opening, so commands can fix what they report.
   *
   * @throws Conflict naming everything that prevents serving.
   */
  checkStart(): Promise<void>;
  /** Starts background work: following other nodes, heartbeats, jobs. */
  startBackground(): Promise<void>;
  /** Rebuilds the serving addons from their current files and serves them; for development. Changes nothing if it returns problems. */
  refresh(): Promise<readonly Problem[]>;
  /** During development: settles once the database matches the code, or `problems` has the reasons. */
  readonly followed: Promise<void>;
  /**
   * Announces that this process is about to stop. Returns how long, in ms, it should keep answering so visitors can find another process.
   */
  drain(): Promise<number>;
  close(): Promise<void>;
}

/**
 * Opens the application: its parts, the addons, and the generation stored in the database (all addons are enabled on first start). It can
 * then serve, but doesn't listen or run jobs yet.
 *
 * @throws TypeError if the parts don't fit together, and any error that keeps a part from starting.
 */
export async function openApplication(config: Config, options: ApplicationOptions): Promise<Application> {
  const { log } = options;
  if (config.strict) keepLongStacks();
  const parts = new Parts(config, log, options.parts);
  const roots = options.roots ?? addonRoots(config.addonsPath.join(process.platform === 'win32' ? ';' : ':'));
  const addons = await discover(roots, log, allPoints(parts.parts));
  const application = new OpenApplication(parts, addons, roots, options);
  try {
    await application.open(options.install);
    return application;
  } catch (error) {
    await parts.end('close');
    throw error;
  }
}

class OpenApplication implements Application {
  readonly config: Config;
  readonly log: Log;
  readonly discovery: Discovery;
  readonly roots: readonly string[];
  readonly #parts: Parts;
  readonly #options: ApplicationOptions;
  readonly #cache: BuildCache = new Map();
  readonly #memory: BuildMemory;
  readonly #holder: GenerationHolder<Generation>;
  #draining = false;
  #followed: Promise<void> = Promise.resolve();

  constructor(parts: Parts, addons: Discovery, roots: readonly string[], options: ApplicationOptions) {
    const { config, log } = parts;
    this.config = config;
    this.log = log;
    this.discovery = addons;
    this.roots = roots;
    this.#parts = parts;
    this.#options = options;
    this.#memory = lastingMemory(join(repository, '.build/memory.json'), log);
    this.#holder = createGenerationHolder<Generation>({ log, dispose: (generation) => generation.dispose() });
  }

  async open(install?: readonly string[]): Promise<void> {
    const { config } = this;
    const parts = this.#parts;
    await parts.provide({ addons: this.discovery, holder: this.#holder });
    this.#provideSwitching();
    await Promise.all([parts.begin('start'), closeDataFolder(config.dataDir)]);
    const { codeFollower } = this.#options;
    const starting = this.lifecycle.start({ install, demo: config.demo, ignoreMisfits: codeFollower !== undefined });
    await (codeFollower ? codeFollower.start(this, starting) : starting);
  }

  #provideSwitching(): void {
    const { config, log, discovery, roots } = this;
    const { onOutdated, createFreshProcess } = this.#options;
    const folders = () => listAddonFolders(roots).map((folder) => ({ name: basename(folder), folder }));
    const parts = this.#parts;
    const storage = parts.get(addonStorage);
    const switching = createLifecycle({
      storage,
      log,
      holder: this.#holder,
      discovery,
      demo: config.demo,
      // Developers run code that they just wrote themselves.
      reviewsCode: !config.dev && !this.#options.trusted,
      build: (record, addons) => buildApplication(this.#input(record, addons)),
      recordData: (previous, addons) => parts.recordData(previous, addons),
      onOutdated,
      changedCode: async () => new Set(await changedSince(folders(), discovery.since)),
      codeStamp: () => codeStamp(roots),
    });
    const fresh = (onOutdated && createFreshProcess?.(roots, onOutdated)) ?? null;
    parts.set(lifecycle, switching);
    parts.set(addonSwitches, createAddonManager({ lifecycle: switching, storage, log, fresh }));
  }

  get<T>(key: Key<T>): T {
    return this.#parts.get(key);
  }

  get lifecycle(): Lifecycle {
    return this.#parts.get(lifecycle);
  }

  get generation(): Generation {
    return this.#holder.current;
  }

  get draining(): boolean {
    return this.#draining;
  }

  get ready(): boolean {
    return this.#holder.ready;
  }

  get unready(): readonly string[] {
    const { unready } = this.lifecycle.follower;
    const { problems = [] } = this.#options.codeFollower ?? {};
    // A failed upgrade explains why an older version is enabled.
    return this.ready || problems.length === 0 ? unready : problems.map(describeProblem);
  }

  get problems(): readonly Problem[] {
    const { codeFollower } = this.#options;
    if (!codeFollower) return [];
    const { leftOut } = this.lifecycle;
    const all = [...this.discovery.problems, ...[...leftOut.values()].flat(), ...codeFollower.problems];
    const distinct = [...new Map(all.map((problem) => [describeProblem(problem), problem])).values()];
    return this.#withSources(rootCauses(distinct));
  }

  get followed(): Promise<void> {
    return this.#followed;
  }

  lease(): GenerationLease {
    return this.#holder.acquire();
  }

  onSwitch(listener: (generation: Generation) => void): () => void {
    return this.#holder.subscribe(() => {
      if (this.#holder.ready) listener(this.#holder.current);
    });
  }

  read<T>(options: ContextOptions, work: (ctx: Ctx) => Promise<T>): Promise<T> {
    return this.get(contexts).read(options, work);
  }

  write<T>(options: ContextOptions, work: (ctx: Ctx) => Promise<T>, writeOptions?: WriteHow): Promise<T> {
    return this.get(contexts).write(options, work, writeOptions);
  }

  asSystem<T>(access: 'read' | 'write', work: (ctx: Ctx) => Promise<T>, writeOptions?: WriteHow): Promise<T> {
    return this.get(contexts).asSystem(access, work, writeOptions);
  }

  drain(): Promise<number> {
    this.#draining = true;
    return this.#parts.drain();
  }

  async refresh(): Promise<readonly Problem[]> {
    const { addons, number, record: current } = this.generation;
    const names = new Set(addons.map(({ name }) => name));
    const discovered = await discover(this.roots, this.log, allPoints(this.#parts.parts));
    await discovered.load(names);
    const { loaded, problems } = discovered;
    if (problems.length > 0) return this.#withSources(problems);
    const record: GenerationRecord = {
      ...current,
      // Between the stored number and the next: other nodes continue unchanged, and no cached page survives the change.
      number: number + 0.001,
      addons: Object.fromEntries(addons.map(({ name, definition }) => [name, definition.version])),
    };
    const served = loaded.filter(({ name }) => names.has(name));
    const built = await buildApplication(this.#input(record, served));
    if (built.generation) this.#holder.swap(built.generation);
    return this.#withSources(built.problems);
  }

  #withSources(problems: readonly Problem[]): readonly Problem[] {
    return withSources(problems, addonFolders(this.roots));
  }

  async checkStart(): Promise<void> {
    // Nothing is served yet; `unready` has the reasons.
    if (!this.#holder.ready) return;
    const checks = this.generation.get(startChecks);
    const problemLists = await this.asSystem('read', (ctx) => Promise.all(checks.map((check) => check(ctx))));
    const problems = problemLists.flat();
    if (problems.length === 0) return;
    throw new Conflict(`The site cannot be served like this:\n${problems.map(describeProblem).join('\n')}`, {
      code: 'core.start_refused',
    });
  }

  async startBackground(): Promise<void> {
    await this.#parts.begin('ready');
    this.lifecycle.follower.start();
    this.#followed = this.#options.codeFollower?.follow() ?? Promise.resolve();
  }

  async close(): Promise<void> {
    this.#draining = true;
    await this.#followed;
    await this.lifecycle.follower.stop();
    await this.#parts.end('stop');
    await this.#holder.close();
    await this.#parts.end('close');
  }

  #input(record: GenerationRecord, addons: readonly Addon[]): BuildInput {
    const environment = {
      parts: this.#parts,
      roots: this.roots,
      memory: this.#memory,
      // During development, files are always read from disk.
      cache: this.config.dev ? undefined : this.#cache,
    };
    return { record, addons, allAddons: this.discovery.addons, environment };
  }
}
