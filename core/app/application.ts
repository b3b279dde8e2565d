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
  type Generation,
  type GenerationHolder,
  type GenerationRecord,
  type Key,
  type Lifecycle,
  lifecycle,
} from '../kernel/index.ts';
import { type Part, Parts } from '../part/index.ts';
import { createFreshProcess } from './fresh-process.ts';
import { type BuildCache, type BuildInput, buildApplication } from './generation-builder.ts';
import { allPoints } from './points.ts';
import { startChecks } from './start-checks.ts';

export interface ApplicationOptions {
  readonly log: Log;
  /** In any order. */
  readonly parts: readonly Part[];
  /** Folders of addons; the repository's and those of ADDONS_PATH when left out. */
  readonly roots?: readonly string[];
  /** Addons to enable when the database is new; all that were found when left out. */
  readonly install?: readonly string[];
  /** Told when the site moved on to versions of addons that only a fresh process can load. */
  readonly onOutdated?: () => void;
}

/** Keeps a generation from being disposed until it is released. */
export interface GenerationLease {
  readonly generation: Generation;
  release(): void;
}

/**
 * The application: everything between the configuration and the sockets. Several live side by side in one process, and several processes
 * serve one site.
 */
export interface Application {
  readonly config: Config;
  readonly log: Log;
  /**
   * A value of a part, or one that generations share: `application.get(database)`.
   *
   * @throws Error if no part of the application provides it.
   */
  get<T>(key: Key<T>): T;
  /** The generation that serves now. */
  readonly generation: Generation;
  /** Whether there is one. */
  readonly ready: boolean;
  /** Whether the process was told to stop; requests are still answered. */
  readonly draining: boolean;
  /** What keeps this process from serving as it should; empty if nothing does. Quick, never waits. */
  readonly unready: readonly string[];
  /** In development: what of the code is not served as it was saved, and why; else empty. */
  readonly problems: readonly Problem[];
  readonly discovery: Discovery;
  /** Folders in which addons are looked for. */
  readonly roots: readonly string[];
  readonly lifecycle: Lifecycle;
  lease(): GenerationLease;
  /** Calls back with the generation that serves from now on. Returns how to stop. */
  onSwitch(listener: (generation: Generation) => void): () => void;
  read<T>(options: ContextOptions, work: (ctx: Ctx) => Promise<T>): Promise<T>;
  /** Runs work in one transaction; it may run again from its beginning. */
  write<T>(options: ContextOptions, work: (ctx: Ctx) => Promise<T>, how?: WriteHow): Promise<T>;
  /** Work as the system, with rights lifted; `how` is for a write. */
  asSystem<T>(access: 'read' | 'write', work: (ctx: Ctx) => Promise<T>, how?: WriteHow): Promise<T>;
  /**
   * Asks the addons whether the site may be served as it is (`startChecks`). Apart from opening, since commands must be able to mend what is wrong.
   *
   * @throws Conflict naming everything that forbids it.
   */
  checkStart(): Promise<void>;
  /** Begins what goes on beside requests: following other nodes, signs of life, jobs. */
  startBackground(): Promise<void>;
  /**
   * Builds the addons that serve now from their files as they are, and serves that; for development. With problems (which are answered) nothing
   * changes.
   */
  refresh(): Promise<readonly Problem[]>;
  /** In development: settled when the database has followed the code, or `problems` says why not. */
  readonly followed: Promise<void>;
  /** Says that this process is about to stop. Answers how long, in ms, it should still answer, so that visitors find another one. */
  drain(): Promise<number>;
  close(): Promise<void>;
}

/**
 * Opens the application: its parts, the addons, and the generation the database says (at first start all addons are enabled). Afterwards it can
 * serve; it listens to nothing and runs no jobs by itself.
 *
 * @throws TypeError if the parts don't fit together, and whatever keeps a part from starting.
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
    await this.lifecycle.start({ install, demo: config.demo, develop: config.dev });
  }

  #provideSwitching(): void {
    const { config, log, discovery, roots } = this;
    const { onOutdated } = this.#options;
    const folders = () => listAddonFolders(roots).map((folder) => ({ name: basename(folder), folder }));
    const parts = this.#parts;
    const storage = parts.get(addonStorage);
    const switching = createLifecycle({
      storage,
      log,
      holder: this.#holder,
      discovery,
      demo: config.demo,
      build: (record, addons) => buildApplication(this.#input(record, addons)),
      recordData: (previous, addons) => parts.recordData(previous, addons),
      onOutdated,
      changedCode: async () => new Set(await changedSince(folders(), discovery.since)),
      codeStamp: () => codeStamp(roots),
    });
    const fresh = onOutdated && !config.dev ? createFreshProcess(roots, onOutdated) : null;
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
    const { follower, behind } = this.lifecycle;
    // An upgrade that failed explains why an older version is enabled.
    return this.ready || behind.length === 0 ? follower.unready : behind.map(describeProblem);
  }

  get problems(): readonly Problem[] {
    if (!this.config.dev) return [];
    const { leftOut, behind } = this.lifecycle;
    const all = [...this.discovery.problems, ...[...leftOut.values()].flat(), ...behind];
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

  write<T>(options: ContextOptions, work: (ctx: Ctx) => Promise<T>, how?: WriteHow): Promise<T> {
    return this.get(contexts).write(options, work, how);
  }

  asSystem<T>(access: 'read' | 'write', work: (ctx: Ctx) => Promise<T>, how?: WriteHow): Promise<T> {
    return this.get(contexts).asSystem(access, work, how);
  }

  drain(): Promise<number> {
    this.#draining = true;
    return this.#parts.drain();
  }

  async refresh(): Promise<readonly Problem[]> {
    const { addons, number, record: current } = this.generation;
    const names = new Set(addons.map(({ name }) => name));
    const { addons: found, problems } = await discover(this.roots, this.log, allPoints(this.#parts.parts));
    if (problems.length > 0) return this.#withSources(problems);
    const record: GenerationRecord = {
      ...current,
      // Above the database's number, below its next: other nodes go on as they are, and no page is kept over the change.
      number: number + 0.001,
      addons: Object.fromEntries(addons.map(({ name, definition }) => [name, definition.version])),
    };
    const served = found.filter(({ name }) => names.has(name));
    const built = await buildApplication(this.#input(record, served));
    if (built.generation) this.#holder.swap(built.generation);
    return this.#withSources(built.problems);
  }

  #withSources(problems: readonly Problem[]): readonly Problem[] {
    return withSources(problems, addonFolders(this.roots));
  }

  async checkStart(): Promise<void> {
    // Nothing is served yet; `unready` says why.
    if (!this.#holder.ready) return;
    const checks = this.generation.get(startChecks);
    const found = await this.asSystem('read', (ctx) => Promise.all(checks.map((check) => check(ctx))));
    const problems = found.flat();
    if (problems.length === 0) return;
    throw new Conflict(`The site cannot be served like this:\n${problems.map(describeProblem).join('\n')}`, {
      code: 'core.start_refused',
    });
  }

  async startBackground(): Promise<void> {
    await this.#parts.begin('ready');
    this.lifecycle.follower.start();
    this.#followed = this.lifecycle.followCode();
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
      // While developing, files are read as they are now.
      cache: this.config.dev ? undefined : this.#cache,
    };
    return { record, addons, known: this.discovery.addons, environment };
  }
}
