import { join } from 'node:path';
import {
  addonFolders,
  addonRoots,
  type BuildMemory,
  type Config,
  Conflict,
  closeDataFolder,
  describeProblem,
  type Log,
  lastingMemory,
  MAX_FRAMES,
  type Problem,
  repository,
  rootCauses,
  withSources,
} from '../base/index.ts';
import { PageCache, RowCache } from '../cache/index.ts';
import { createLeases, createNodes, type Nodes } from '../cluster/index.ts';
import type { ContextOptions, Ctx } from '../context/index.ts';
import { type Database, openDatabase, type WriteOptions } from '../db/index.ts';
import { type FileStore, HashedFileStore, openBlobStore } from '../files/index.ts';
import {
  createGuards,
  DatabaseRateLimiter,
  DatabaseSessions,
  type HttpApplication,
  type Lease,
  type SessionStore,
} from '../http/index.ts';
import { likelyLanguages, readOwnCatalogs, siteLanguages } from '../i18n/index.ts';
import { addonTasks, codeStamp, DatabaseAddonStorage, type InstallHost, notesOn } from '../install/index.ts';
import { assets, clearDrafts } from '../island/index.ts';
import { type JobDefinition, type JobLease, JobWorker, jobs } from '../jobs/index.ts';
import {
  type Addon,
  type AddonManager,
  createAddonManager,
  createGenerationHolder,
  createLifecycle,
  type Discovery,
  discover,
  type Generation,
  type GenerationHolder,
  type GenerationRecord,
  type Lifecycle,
  loadedVersions,
} from '../kernel/index.ts';
import { releaseMails, sendMail } from '../mail/index.ts';
import { models } from '../model/index.ts';
import { SettingStore } from '../settings/index.ts';
import { clockRepair } from './clock-repair.ts';
import { ensureCoreTables } from './core-tables.ts';
import { createFreshProcess } from './fresh-process.ts';
import { type BuildCache, type BuildInput, buildApplication } from './generation-builder.ts';
import { housekeeping } from './housekeeping.ts';
import { corePoints, startChecks } from './points.ts';
import { Runner } from './runner.ts';
import { app } from './values.ts';
import { VitalSigns } from './vitals.ts';

export interface ApplicationOptions {
  readonly log: Log;
  /** Folders of addons; the repository's and those of ADDONS_PATH when left out. */
  readonly roots?: readonly string[];
  /** Addons to enable when the database is new; all that were found when left out. */
  readonly install?: readonly string[];
  /** Told when the site moved on to versions of addons that only a fresh process can load. */
  readonly onOutdated?: () => void;
}

/**
 * The application: everything between the configuration and the sockets. Several live side by side in one process, and several processes
 * serve one site.
 */
export interface Application extends HttpApplication {
  /** The generation that serves now. */
  readonly generation: Generation;
  /** Whether there is one. */
  readonly ready: boolean;
  readonly discovery: Discovery;
  /** Folders in which addons are looked for. */
  readonly roots: readonly string[];
  readonly lifecycle: Lifecycle;
  readonly nodes: Nodes;
  readonly worker: JobWorker;
  /** Work as the system, with rights lifted; `how` is for a write. */
  asSystem<T>(access: 'read' | 'write', work: (ctx: Ctx) => Promise<T>, how?: WriteOptions): Promise<T>;
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
  /** Says that this process is about to stop. */
  drain(): void;
  close(): Promise<void>;
}

/**
 * Opens the application: database, addons, and the generation the database says (at first start all addons are enabled). Afterwards it can
 * serve; it listens to nothing and runs no jobs by itself.
 */
export async function openApplication(config: Config, options: ApplicationOptions): Promise<Application> {
  const { log } = options;
  // The core's calls alone fill the ten that V8 keeps, and the author's line is behind them.
  if (config.strict) Error.stackTraceLimit = MAX_FRAMES;
  const database = await openDatabase({ url: config.databaseUrl, log, strict: config.strict });
  try {
    await Promise.all([ensureCoreTables(database), clearDrafts(), closeDataFolder(config.dataDir)]);
    const roots = options.roots ?? addonRoots(config.addonsPath.join(process.platform === 'win32' ? ';' : ':'));
    const discovery = await discover(roots, log, corePoints);
    const application = new OpenApplication(config, database, discovery, roots, options);
    await application.lifecycle.start({ install: options.install, demo: config.demo, develop: config.dev });
    return application;
  } catch (error) {
    await database.close();
    throw error;
  }
}

class OpenApplication implements Application {
  readonly config: Config;
  readonly log: Log;
  readonly database: Database;
  readonly files: FileStore;
  readonly discovery: Discovery;
  readonly sessions: SessionStore;
  readonly guards: HttpApplication['guards'];
  readonly limiter: DatabaseRateLimiter;
  readonly pageCache: PageCache;
  readonly vitals: VitalSigns;
  readonly lifecycle: Lifecycle;
  readonly nodes: Nodes;
  readonly worker: JobWorker;
  readonly roots: readonly string[];
  readonly #runner: Runner;
  readonly #cache: BuildCache = new Map();
  readonly #memory: BuildMemory;
  readonly #holder: GenerationHolder<Generation>;
  readonly #ownJobs: readonly JobDefinition[];
  readonly #addonManager: AddonManager;
  #draining = false;
  #followed: Promise<void> = Promise.resolve();

  constructor(
    config: Config,
    database: Database,
    discovery: Discovery,
    roots: readonly string[],
    { log, onOutdated }: ApplicationOptions,
  ) {
    const blobs = openBlobStore(config);
    const secure = config.baseUrl.startsWith('https:');
    const limiter = new DatabaseRateLimiter({ database, log, secret: config.sessionSecret });
    this.#memory = lastingMemory(join(repository, '.build/memory.json'), log);
    this.config = config;
    this.log = log;
    this.database = database;
    this.discovery = discovery;
    this.files = new HashedFileStore(blobs);
    this.roots = roots;
    this.#runner = new Runner({
      config,
      log,
      database,
      files: this.files,
      settings: new SettingStore(database),
      limiter,
      rowCache: new RowCache(database.changes),
      addonManager: () => this.#addonManager,
      asSystem: (access, work) => this.asSystem(access, work),
    });
    this.sessions = new DatabaseSessions({
      database,
      log,
      secret: config.sessionSecret,
      secure,
      wroteHere: (wrote) => this.pageCache.wroteHere(wrote),
    });
    this.vitals = new VitalSigns(config, database);
    this.guards = createGuards(config, (generation) => [generation.get(assets).importMapHash]);
    this.limiter = limiter;
    this.pageCache = new PageCache({ changes: database.changes, secure, dev: config.dev });
    this.#holder = createGenerationHolder<Generation>({ log, dispose: (generation) => generation.dispose() });
    const versions = loadedVersions(discovery);
    this.nodes = createNodes({ database, log, node: config.nodeId, holder: this.#holder, versions: () => versions });
    const host: InstallHost = {
      database,
      databaseUrl: config.databaseUrl,
      dataDir: config.dataDir,
      log,
      holder: this.#holder,
      leases: createLeases(database, this.nodes.instance, log),
      nodes: this.nodes,
      discovery,
      context: (generation, connection) => this.#runner.systemContext(generation, connection),
    };
    const storage = new DatabaseAddonStorage(host);
    this.lifecycle = createLifecycle({
      storage,
      log,
      holder: this.#holder,
      discovery,
      demo: config.demo,
      build: (record, addons) => buildApplication(this.#input(record, addons)),
      languages: () => this.#languages(),
      likelyLanguages,
      notes: (plan) => notesOn(host, plan),
      onOutdated,
      codeStamp: () => codeStamp(roots),
    });
    const fresh = onOutdated && !config.dev ? createFreshProcess(roots, onOutdated) : null;
    this.#addonManager = createAddonManager({ lifecycle: this.lifecycle, storage, log, fresh });
    const repair = clockRepair(database);
    this.#ownJobs = [
      sendMail,
      releaseMails,
      addonTasks,
      repair,
      ...housekeeping({ database, blobs, sessions: this.sessions, limiter: this.limiter }),
    ] as readonly JobDefinition[];
    this.worker = new JobWorker({
      database,
      log,
      nodeId: this.nodes.instance,
      clockRepair: repair,
      host: { lease: () => this.#jobLease() },
    });
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
    return this.ready || follower.unready.length > 0 ? follower.unready : behind.map(describeProblem);
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

  lease(): Lease {
    return this.#holder.acquire();
  }

  onSwitch(listener: (generation: Generation) => void): () => void {
    return this.#holder.subscribe(() => {
      if (this.#holder.ready) listener(this.#holder.current);
    });
  }

  read<T>(options: ContextOptions, work: (ctx: Ctx) => Promise<T>): Promise<T> {
    return this.#runner.read(options, work);
  }

  write<T>(options: ContextOptions, work: (ctx: Ctx) => Promise<T>): Promise<T> {
    return this.#runner.write(options, work);
  }

  async asSystem<T>(access: 'read' | 'write', work: (ctx: Ctx) => Promise<T>, how?: WriteOptions): Promise<T> {
    const lease = this.#holder.acquire();
    try {
      return await this.#runner[access](this.#runner.systemOptions(lease.generation), work, how);
    } finally {
      lease.release();
    }
  }

  drain(): void {
    this.#draining = true;
    // Whoever waits for a turn to sign in asks another node.
    this.limiter.close();
  }

  async refresh(): Promise<readonly Problem[]> {
    const { addons, number } = this.generation;
    const names = new Set(addons.map(({ name }) => name));
    const { addons: found, problems } = await discover(this.roots, this.log, corePoints);
    if (problems.length > 0) return this.#withSources(problems);
    const record: GenerationRecord = {
      // Above the database's number, below its next: other nodes go on as they are, and no page is kept over the change.
      number: number + 0.001,
      addons: Object.fromEntries(addons.map(({ name, definition }) => [name, definition.version])),
      languages: this.generation.get(app.languages),
      pendingFields: [...this.generation.get(models).pendingFields],
    };
    const built = await buildApplication(
      this.#input(
        record,
        found.filter(({ name }) => names.has(name)),
      ),
    );
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
    await this.nodes.start();
    this.lifecycle.follower.start();
    this.worker.start();
    this.#followed = this.lifecycle.followCode();
    // Or the first page would wait for the components.
    if (this.ready) void this.generation.get(assets).ready();
  }

  async close(): Promise<void> {
    this.#draining = true;
    await this.#followed;
    await this.worker.stop(5_000);
    await this.lifecycle.follower.stop();
    await this.nodes.stop();
    this.limiter.close();
    await this.sessions.close();
    await this.#holder.close();
    this.pageCache.close();
    await this.database.close();
  }

  #input(record: GenerationRecord, addons: readonly Addon[]): BuildInput {
    const { config, log, files, roots } = this;
    // While developing, files are read as they are now.
    const environment = {
      config,
      log,
      files,
      roots,
      ownCatalogs: () => readOwnCatalogs(this.database, this.database.reader),
      cache: config.dev ? undefined : this.#cache,
      memory: this.#memory,
    };
    return { record, addons, known: this.discovery.addons, environment };
  }

  /** As the addon that keeps them says (base); null while there is none. */
  async #languages(): Promise<readonly string[] | null> {
    if (!this.#holder.ready) return null;
    const { generation, release } = this.#holder.acquire();
    const owned = this.#runner.systemContext(generation, this.database.reader);
    try {
      return (await generation.get(siteLanguages).at(-1)?.(owned.ctx)) ?? null;
    } finally {
      await owned.dispose();
      release();
    }
  }

  #jobLease(): JobLease {
    const { generation, release } = this.#holder.acquire();
    const known = [...this.#ownJobs, ...generation.get(jobs)];
    const options = this.#runner.systemOptions(generation, 'job');
    return {
      jobs: new Map(known.map((job) => [job.name, job])),
      read: (work) => this.#runner.read(options, work),
      write: (work) => this.#runner.write(options, work),
      release,
    };
  }
}
