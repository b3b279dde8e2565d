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
import { parts } from '../parts.ts';
import { addonsWithNeeds } from './addon-closure.ts';
import { Client } from './client.ts';
import { hourOfClock } from './clock.ts';
import type { TestDialect } from './databases.ts';
import { freePort } from './free-port.ts';
import { type HeardLog, hearLog } from './heard-log.ts';
import { copyTemplate } from './templates.ts';

/** Which site a test wants. */
export interface TestAppOptions {
  /** Addons to enable, by name; those they depend on come along, and nothing else is loaded. */
  readonly addons: readonly string[];
  /** Default SQLite. */
  readonly database?: TestDialect;
  /** With demo data. Default false. */
  readonly demo?: boolean;
  /** Environment variables over the defaults of tests. */
  readonly env?: Readonly<Record<string, string>>;
  /** More folders of addons, beside the repository's and the fixtures. */
  readonly roots?: readonly string[];
  /** As under `pergola dev`: builds for finding faults, pages that load again. Default false. */
  readonly dev?: boolean;
  /** A database to use as it stands, empty or of an earlier run, and to leave there, instead of a fresh one of `database`. */
  readonly url?: string;
}

/** A whole application for one test, on a database of its own, listening on a free port; as a client it's a visitor who keeps no language. */
export interface TestApp extends AsyncDisposable, Client {
  readonly application: Application;
  readonly database: Database;
  readonly pageCache: PageCache;
  readonly config: Config;
  /** Without a slash at the end. */
  readonly url: string;
  /** A client that is signed in as the user with this login. */
  as(login: string): Promise<Client>;
  /** A client of another visitor; `from` as in {@link Client}. */
  visitor(from?: string): Client;
  /** Work as the system, with rights lifted. */
  read<T>(work: (ctx: Ctx) => Promise<T>): Promise<T>;
  write<T>(work: (ctx: Ctx) => Promise<T>): Promise<T>;
  /** Runs a migration as an upgrade does, in a transaction of its own. */
  migrate(migration: Pick<Migration, 'up'>): Promise<void>;
  /** Runs everything in the job queue that is due, mails included; answers how much ran. */
  runJobs(): Promise<number>;
  /** A second process of the same site, as far as one process can be two: its own application on the same database. */
  secondNode(): Promise<TestApp>;
  close(): Promise<void>;
}

/**
 * Boots exactly these addons on a fresh database. The first test of a run that asks for a set of addons makes its database; the others get copies.
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
  const heard = hearLog([SECRET]);
  const { log } = heard;
  const open = async (url: string, dir: string): Promise<Application> => {
    const port = await freePort();
    const config = loadConfig(
      { ...defaults(port), DATABASE_URL: url, DATA_DIR: dir, DEMO: String(demo), ...env },
      parts,
      { dev },
    );
    return whole(await openApplication(config, { log, parts, roots: [...folders.values()], install }), addons);
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
  const made =
    options.url === undefined
      ? await copyTemplate(database, key, dataDir, fill)
      : { url: options.url, drop: async () => {} };
  const application = await open(made.url, dataDir);
  return serve(
    application,
    heard,
    () => open(made.url, dataDir),
    async () => {
      await made.drop();
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 });
    },
  );
}

const SECRET = 'a secret that only tests know';

/** A test that asks for an addon means it: one that is broken fails the test with all there is to say, instead of leaving the addon out. */
async function whole(application: Application, addons: readonly string[]): Promise<Application> {
  const { lifecycle } = application;
  const leftOut = addons.flatMap((name) => lifecycle.leftOut.get(name) ?? []);
  // Demo records that were refused don't keep a site from starting: it tries them again, and its Apps screen shows why.
  const filled = lifecycle.isFirstStart ? await lifecycle.list() : [];
  const problems = [...leftOut, ...filled.flatMap((addon) => (addon.leftOut ? [] : addon.problems))];
  if (problems.length === 0) return application;
  await application.close();
  throw new BrokenAddons(problems);
}

/** A site without an addon that a test asked for is started as any other; a test must hear of it. */
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
    // Tests are late when the machine is busy, never because the site is.
    PATIENCE: '20',
  };
}

async function serve(
  application: Application,
  heard: HeardLog,
  again: () => Promise<Application>,
  remove: () => Promise<void>,
): Promise<TestApp> {
  const { config } = application;
  const http = await serveHttp(application);
  await http.listen({ host: '127.0.0.1', port: config.port });
  const others: TestApp[] = [];
  // A test that reads a French page changes nothing for the next one.
  const visitor = heard.follow(new Client(config.baseUrl, null, ['website_lang']));
  const close = async (): Promise<void> => {
    for (const other of others) await other.close();
    await http.close({ graceMs: 0, deadlineMs: 2_000 });
    await application.close();
    await remove();
    heard.expectDiscreet();
  };
  const data = application.get(database);
  const own = {
    application,
    database: data,
    pageCache: application.get(pageCache),
    config,
    url: config.baseUrl,
    visitor: (from?: string) => heard.follow(new Client(config.baseUrl, from)),
    as: async (login: string) => heard.follow(await signedIn(application, login)),
    read: <T>(work: (ctx: Ctx) => Promise<T>) => application.asSystem('read', work),
    write: <T>(work: (ctx: Ctx) => Promise<T>) => application.asSystem('write', work),
    migrate: ({ up }: Pick<Migration, 'up'>) =>
      data.write((transaction) => up(createMigrationTools(data, transaction))),
    runJobs: () => application.get(jobWorker).drain(),
    async secondNode() {
      const other = await serve(await again(), heard, again, async () => {});
      await other.application.startBackground();
      others.push(other);
      return other;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
  return Object.assign(visitor, own) as TestApp;
}

/** Signs in past the sign-in page, which has tests of its own. */
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
