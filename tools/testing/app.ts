import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Ctx } from '@pergola/core';
import {
  type Application,
  BrokenAddons,
  type Config,
  describeProblem,
  loadConfig,
  openApplication,
} from '@pergola/core';
import { type Database, database } from '@pergola/db';
import { serveHttp, sessions } from '@pergola/http';
import { jobWorker } from '@pergola/jobs';
import type { Migration } from '@pergola/orm';
import { type PageCache, pageCache } from '@pergola/page-cache';
import { createMigrationTools } from '@pergola/switching';
import { SavedCodeFollower } from '../dev/code-follower.ts';
import { parts } from '../parts.ts';
import { addonsWithNeeds } from './addon-closure.ts';
import { Client } from './client.ts';
import { hourOfClock } from './clock.ts';
import type { TestDialect } from './databases.ts';
import { freePort } from './free-port.ts';
import { type HeardLog, hearLog } from './heard-log.ts';
import { copyTemplate } from './templates.ts';

/** Options of a test application. */
export interface TestAppOptions {
  /** Addons to enable, by name, along with their dependencies; no others are loaded. */
  readonly addons: readonly string[];
  /** Default SQLite. */
  readonly database?: TestDialect;
  /** With demo data. Default false. */
  readonly demo?: boolean;
  /** Environment variables that override the test defaults. */
  readonly env?: Readonly<Record<string, string>>;
  /** More addon folders besides the repository's and the fixtures. */
  readonly roots?: readonly string[];
  /** As under `pergola dev`: development builds, and pages that reload. Default false. */
  readonly dev?: boolean;
  /** URL of an existing database to use and keep, empty or from an earlier run, instead of a new one of `database`. */
  readonly url?: string;
}

/**
 * A complete application for one test, with its own database, listening on a free port. As a client, it is a visitor who keeps no language
 * cookie.
 */
export interface TestApp extends AsyncDisposable, Client {
  readonly application: Application;
  readonly database: Database;
  readonly pageCache: PageCache;
  readonly config: Config;
  /** Without a trailing slash. */
  readonly url: string;
  /** Returns a client signed in as the user with this login. */
  as(login: string): Promise<Client>;
  /** Returns a client of another visitor; `from` as in {@link Client}. */
  visitor(from?: string): Client;
  /** Runs work as the system, with rights lifted. */
  read<T>(work: (ctx: Ctx) => Promise<T>): Promise<T>;
  write<T>(work: (ctx: Ctx) => Promise<T>): Promise<T>;
  /** Runs a migration like an upgrade does, in its own transaction. */
  migrate(migration: Pick<Migration, 'up'>): Promise<void>;
  /** Runs all due jobs in the queue, including emails; returns how many ran. */
  runJobs(): Promise<number>;
  /** Opens a second application on the same database, to simulate a second process of the site. */
  secondNode(): Promise<TestApp>;
  close(): Promise<void>;
}

/**
 * Starts an application with exactly these addons on a new database. The first test in a run with a set of addons creates its database; the
 * others get copies.
 *
 * ```ts
 * await using app = await createTestApp({ addons: ['forum'], database });
 * expect((await app.get('/forum')).status).toBe(200);
 * ```
 */
export async function createTestApp(options: TestAppOptions): Promise<TestApp> {
  const { addons, database = 'sqlite', demo = false, env = {}, roots = [], dev = false } = options;
  const folders = addonsWithNeeds(addons, roots);
  const dataDir = mkdtempSync(path.join(tmpdir(), 'app-'));
  const install = [...folders.keys()];
  const key = [...folders.values(), demo ? 'demo' : '', hourOfClock() ?? ''].join('+');
  const heardLog = hearLog([SECRET]);
  const { log } = heardLog;
  const open = async (url: string, dir: string): Promise<Application> => {
    const port = await freePort();
    const config = loadConfig(
      { ...defaults(port), DATABASE_URL: url, DATA_DIR: dir, DEMO: String(demo), ...env },
      parts,
      { dev },
    );
    const codeFollower = dev ? new SavedCodeFollower() : undefined;
    return whole(
      await openApplication(config, { log, parts, roots: [...folders.values()], install, codeFollower }),
      addons,
    );
  };
  const fill = async (url: string, dir: string): Promise<void> => {
    mkdirSync(dir, { recursive: true });
    const first = await open(url, dir);
    try {
      expectAll(first, install);
    } finally {
      await first.close();
    }
  };
  const copy =
    options.url === undefined
      ? await copyTemplate(database, key, dataDir, fill)
      : { url: options.url, drop: async () => {} };
  const application = await open(copy.url, dataDir);
  return serve(
    application,
    heardLog,
    () => open(copy.url, dataDir),
    async () => {
      await copy.drop();
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 });
    },
  );
}

const SECRET = 'a secret that only tests know';

/** Fails if a requested addon is broken, with all problems, instead of continuing without it. */
async function whole(application: Application, addons: readonly string[]): Promise<Application> {
  const { lifecycle } = application;
  const leftOut = addons.flatMap((name) => lifecycle.leftOut.get(name) ?? []);
  // Rejected demo records don't prevent a site from starting: it retries them, and its Apps screen shows why.
  const filled = lifecycle.isFirstStart ? await lifecycle.list() : [];
  const problems = [...leftOut, ...filled.flatMap((addon) => (addon.leftOut ? [] : addon.problems))];
  if (problems.length === 0) return application;
  await application.close();
  throw new BrokenAddons(problems);
}

/** A site would start without a missing addon; a test must fail. */
function expectAll({ generation, discovery, lifecycle }: Application, names: readonly string[]): void {
  const present = new Set(generation.addons.map(({ name }) => name));
  if (names.every((name) => present.has(name))) return;
  const problems = [...discovery.problems, ...[...lifecycle.leftOut.values()].flat()];
  throw new Error(`Not all of ${names.join(', ')} can be enabled:\n${problems.map(describeProblem).join('\n')}`);
}

function defaults(port: number): Record<string, string> {
  return {
    PORT: String(port),
    BASE_URL: `http://localhost:${port}`,
    NODE_ENV: 'test',
    SESSION_SECRET: SECRET,
    LOG_LEVEL: 'silent',
    ADMIN_PASSWORD: 'a first password',
    // Tests are slow because the machine is busy, never because of the site.
    PATIENCE: '20',
  };
}

async function serve(
  application: Application,
  heardLog: HeardLog,
  reopen: () => Promise<Application>,
  remove: () => Promise<void>,
): Promise<TestApp> {
  const { config } = application;
  const http = await serveHttp(application);
  await http.listen({ host: '127.0.0.1', port: config.port });
  const nodes: TestApp[] = [];
  // A test that reads a French page must not affect the next one.
  const visitor = heardLog.follow(new Client(config.baseUrl, null, ['website_lang']));
  const close = async (): Promise<void> => {
    for (const node of nodes) await node.close();
    await http.close({ graceMs: 0, deadlineMs: 2_000 });
    await application.close();
    await remove();
    heardLog.expectDiscreet();
  };
  const data = application.get(database);
  const members = {
    application,
    database: data,
    pageCache: application.get(pageCache),
    config,
    url: config.baseUrl,
    visitor: (from?: string) => heardLog.follow(new Client(config.baseUrl, from)),
    as: async (login: string) => heardLog.follow(await signedIn(application, login)),
    read: <T>(work: (ctx: Ctx) => Promise<T>) => application.asSystem('read', work),
    write: <T>(work: (ctx: Ctx) => Promise<T>) => application.asSystem('write', work),
    migrate: ({ up }: Pick<Migration, 'up'>) =>
      data.write((transaction) => up(createMigrationTools(data, transaction))),
    runJobs: () => application.get(jobWorker).drain(),
    async secondNode() {
      const node = await serve(await reopen(), heardLog, reopen, async () => {});
      await node.application.startBackground();
      nodes.push(node);
      return node;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
  return Object.assign(visitor, members) as TestApp;
}

/** Signs in without the sign-in page, which has its own tests. */
async function signedIn(application: Application, login: string): Promise<Client> {
  const userId = await application.asSystem('read', async (ctx) => {
    const [id] = await ctx.modelNamed('res.users').search([['login', '=', login]]);
    return id;
  });
  if (userId === undefined) throw new Error(`There is no user "${login}".`);
  const draft = (await application.get(sessions).load({})).draft();
  draft.signIn(userId);
  const client = new Client(application.config.baseUrl);
  client.keepCookies(await draft.commit({ ip: '127.0.0.1', userAgent: 'test' }));
  return client;
}
