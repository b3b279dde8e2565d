import { randomBytes } from 'node:crypto';
import { request as httpRequest, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { loadConfig } from '../../../core/base/config.ts';
import { atOnce } from '../../../core/base/time-slices.ts';
import type { Ctx, Identity, SessionView } from '../../../core/context/context.ts';
import type { ContextOptions } from '../../../core/context/context-options.ts';
import { contextTools, type DerivedContext } from '../../../core/context/context-tools.ts';
import type { AddonDefinition } from '../../../core/kernel/addon.ts';
import type { Generation } from '../../../core/kernel/generation.ts';
import type { Key } from '../../../core/kernel/key.ts';
import { testGeneration } from '../../../tools/testing/generation.ts';
import { dbPart } from '../../db/part.ts';
import type { ChangeListener, Changes, Database, ReadBounds } from '../../db/types.ts';
import { openedBytes } from '../../files/tests/opened-bytes.ts';
import type { FileRef, StoredFile } from '../../files/types.ts';
import { PageCache } from '../../page-cache/index.ts';
import type { RenderContext } from '../../pages/render-context.ts';
import { httpPart } from '../part.ts';
import { routeTableSteps } from '../routes/route-table.ts';
import { createGuards } from '../security/guards.ts';
import { createHttpServer, type HttpServer, type Patience } from '../server.ts';
import type { RequestSession, SessionDraft } from '../sessions/session.ts';
import type { HttpApplication, Lease } from '../types.ts';

export { until } from '../../../tools/testing/until.ts';

type Template = (values: Record<string, unknown>, context: RenderContext) => string;
export type TestAddon = Partial<AddonDefinition> & { readonly name: string };
export interface TestOptions {
  readonly addons: readonly TestAddon[];
  readonly templates?: Readonly<Record<string, Template>>;
  /** Rows by model and id. */
  readonly records?: Readonly<Record<string, Readonly<Record<number, object>>>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly languages?: readonly string[];
  readonly patience?: Patience;
}

export interface TestReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly bytes: Buffer;
  json(): unknown;
}
export interface TestRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

class HeldFiles extends Map<string, Uint8Array> {
  /** What was read of them: from where to where. */
  readonly read: [start: number, end: number][] = [];

  async open(hash: string): Promise<StoredFile | null> {
    const opened = openedBytes(this.get(hash));
    if (!opened) return null;
    return {
      ...opened,
      read: (start, end) => {
        this.read.push([start, end]);
        return opened.read(start, end);
      },
    };
  }
}

/** The parts of an application that the HTTP part needs: guards, cache and routes are the real ones, the rest is as small as it can be. */
export class FakeApplication {
  readonly config;
  readonly lines: Record<string, unknown>[] = [];
  readonly log;
  readonly guards;
  readonly pageCache: PageCache;
  readonly versions = new Map<string, number>();
  readonly files = new HeldFiles();
  readonly sessionsById = new Map<
    string,
    { userId: number | null; values: Map<string, unknown>; secret: Uint8Array }
  >();
  readonly taken = new Map<string, number>();
  readonly leases = new Map<number, number>();
  readonly #listeners = new Set<ChangeListener>();
  /** How often the next writes fail as PostgreSQL does, before they succeed. */
  conflicts = 0;
  databaseUp = true;
  draining = false;
  unready: readonly string[] = [];
  diskState: 'well' | 'low' | 'full' = 'well';
  readonly vitals: HttpApplication['vitals'] = {
    disks: async () => [{ holds: ['files', 'backups'], free: 5_000_000, size: 10_000_000, state: this.diskState }],
    read: async () => ({
      disks: await this.vitals.disks(),
      jobs: { overdue: 3, since: new Date(0) },
      mail: { oldestWaiting: new Date(Date.now() - 60_000), lastError: 'refused' },
    }),
  };
  readonly openAccount: HttpApplication['openAccount'] = () => null;
  problems: HttpApplication['problems'] = [];
  reads = 0;
  /** Of the latest read. */
  bounds: ReadBounds | undefined;
  writes = 0;
  generation: Generation;
  readonly #options: TestOptions;

  constructor(options: TestOptions) {
    this.#options = options;
    const env = {
      SESSION_SECRET: 'a secret for these tests',
      PORT: '0',
      // The site isn't late because the machine is busy.
      PATIENCE: '100',
    };
    this.config = loadConfig({ ...env, ...options.env }, [dbPart, httpPart]);
    const sink = new Writable({
      write: (chunk: Buffer, _, done) => {
        for (const line of String(chunk).trim().split('\n')) this.lines.push(JSON.parse(line));
        done();
      },
    });
    this.log = pino({ level: 'info' }, sink);
    this.guards = createGuards(this.config, () => []);
    this.pageCache = new PageCache({ changes: this.changes, secure: false });
    this.generation = this.build(1, options.addons);
  }

  onSwitch = () => () => {};

  readonly changes: Changes = {
    version: (table) => this.versions.get(table) ?? 0,
    subscribe: (listener) => {
      this.#listeners.add(listener);
      return () => this.#listeners.delete(listener);
    },
    healthy: true,
  };

  touch(table: string): void {
    this.versions.set(table, (this.versions.get(table) ?? 0) + 1);
    for (const listener of this.#listeners) listener(new Set([table]), 'local');
  }

  build(number: number, addons: readonly TestAddon[]): Generation {
    const { templates = {}, languages = ['en_US', 'fr_FR'] } = this.#options;
    const { table, problems } = atOnce(
      routeTableSteps(addons.map(({ name, routes = [], routeExtensions = [] }) => ({ name, routes, routeExtensions }))),
    );
    if (problems.length > 0) throw new Error(JSON.stringify(problems));
    const byId = <T extends { readonly id: string }>(list: readonly T[]) => new Map(list.map((one) => [one.id, one]));
    const values = {
      routes: table,
      groups: new Map(),
      languages,
      fragments: byId(addons.flatMap(({ fragments = [] }) => fragments)),
      blocks: byId(addons.flatMap(({ blocks = [] }) => blocks)),
      templates: {
        has: (id: string) => Object.hasOwn(templates, id),
        render: (id: string, values: Record<string, unknown>, context: RenderContext) => {
          const template = templates[id];
          if (!template) throw new Error(`There is no template ${id}.`);
          return template(values, context);
        },
      },
      assets: {
        ready: async () => {},
        serve: async (path: string, _req: object, res: ServerResponse) => {
          if (!path.endsWith('/there.js')) return false;
          res.end('there');
          return true;
        },
        head: () => '<!--head-->',
        icon: () => '<svg></svg>',
        island: (id: string) => `<x-${id}>`,
      },
      texts: {
        translate: (lang: string, _: unknown, text: string, params?: object) => translate(lang, text, params),
      },
    };
    return testGeneration({ number, addons, values });
  }

  readonly database = {
    changes: this.changes,
    health: async () => this.databaseUp,
    metrics: () => ({
      reads: this.reads,
      rowsRead: 0,
      writes: this.writes,
      writesFailed: 0,
      retries: 0,
      unavailable: 0,
      writesWaiting: 0,
      readsWaiting: 0,
      connections: 1,
    }),
  } as unknown as Database;

  lease(): Lease {
    const { generation } = this;
    this.leases.set(generation.number, (this.leases.get(generation.number) ?? 0) + 1);
    return {
      generation,
      release: () => {
        this.leases.set(generation.number, (this.leases.get(generation.number) ?? 0) - 1);
      },
    };
  }

  async read<T>(options: ContextOptions, work: (ctx: Ctx) => Promise<T>): Promise<T> {
    this.reads++;
    this.bounds = options.bounds;
    return work(this.#ctx(options, false, []));
  }

  async write<T>(options: ContextOptions, work: (ctx: Ctx) => Promise<T>): Promise<T> {
    for (;;) {
      const effects: (() => void | Promise<void>)[] = [];
      const result = await work(this.#ctx(options, true, effects));
      if (this.conflicts-- > 0) continue;
      this.conflicts = 0;
      this.writes++;
      for (const effect of effects) await effect();
      return result;
    }
  }

  readonly sessions = {
    cookieName: 'session_id',
    load: async (cookies: Readonly<Record<string, string | undefined>>): Promise<RequestSession> =>
      new FakeSession(this, cookies.session_id ?? null),
  };

  readonly limiter = {
    tryTake: async ({ name, key, calls }: { name: string; key: string; calls: number }) => {
      const count = (this.taken.get(`${name} ${key}`) ?? 0) + 1;
      this.taken.set(`${name} ${key}`, count);
      return { ok: count <= calls, retryAfter: 7 };
    },
  };

  /** A cookie of somebody signed in. */
  signedIn(userId: number): string {
    const id = randomBytes(8).toString('hex');
    this.sessionsById.set(id, { userId, values: new Map(), secret: randomBytes(16) });
    return `session_id=${id}`;
  }

  tokenOf(cookie: string): string {
    const id = cookie.split('=')[1] ?? '';
    return this.guards.csrfToken({ csrfSecret: this.sessionsById.get(id)?.secret ?? null } as RequestSession);
  }

  #ctx(options: ContextOptions, writes: boolean, effects: (() => void | Promise<void>)[]): Ctx {
    const { tracker = null, identity, lang, timezone, attributes, session, log, su = false } = options;
    const { records = {} } = this.#options;
    const ctx = {
      user: identity,
      lang,
      timezone,
      attributes,
      session,
      log,
      writes,
      su,
      config: this.config,
      now: () => new Date(),
      has: (group: string) => su || identity.groups.has(group),
      get: (key: Key<unknown>) => (key === contextTools ? tools : this.generation.get(key)),
      afterCommit: (effect: () => void) => (writes ? effects.push(effect) : effect()),
      modelNamed: (name: string) => ({
        read: async ([id = 0]: readonly number[]) => {
          tracker?.table(name.replaceAll('.', '_'));
          const row = records[name]?.[id];
          return row ? [row] : [];
        },
      }),
      /** For these tests: a read of a table. */
      reads: (table: string) => tracker?.table(table),
      touches: (table: string) => effects.push(() => this.touch(table)),
    };
    const tools = {
      generation: this.generation,
      tracker,
      derive: (changes: DerivedContext) => this.#ctx({ ...options, ...changes }, writes, effects),
    };
    return ctx as unknown as Ctx;
  }
}

class FakeSession implements RequestSession {
  readonly #application: FakeApplication;
  readonly #id: string | null;

  constructor(application: FakeApplication, id: string | null) {
    this.#application = application;
    this.#id = id !== null && application.sessionsById.has(id) ? id : null;
  }
  get #kept() {
    return this.#id === null ? undefined : this.#application.sessionsById.get(this.#id);
  }
  get exists(): boolean {
    return this.#id !== null;
  }
  get userId(): number | null {
    return this.#kept?.userId ?? null;
  }
  get csrfSecret(): Uint8Array | null {
    return this.#kept?.secret ?? null;
  }
  noteGroups(): void {}
  draft(): SessionDraft {
    const changes = new Map<string, unknown>();
    let signs: number | null | undefined;
    const kept = this.#kept;
    const view: SessionView = {
      exists: this.exists,
      number: null,
      get: (key) => (changes.has(key) ? changes.get(key) : kept?.values.get(key)),
      set: (key, value) => void changes.set(key, value),
      signIn: (userId) => {
        signs = userId;
      },
      renew: () => {},
      signOut: () => {
        signs = null;
      },
    };
    const commit = async (): Promise<readonly string[]> => {
      if (changes.size === 0 && signs === undefined) return [];
      const id = randomBytes(8).toString('hex');
      if (this.#id) this.#application.sessionsById.delete(this.#id);
      const values = new Map([...(kept?.values ?? []), ...changes]);
      const userId = signs === undefined ? (kept?.userId ?? null) : signs;
      this.#application.sessionsById.set(id, { userId, values, secret: randomBytes(16) });
      return [`session_id=${id}; Path=/; HttpOnly`];
    };
    return { ...view, changed: false, commit };
  }
}

const french: Readonly<Record<string, string>> = {
  'We can’t find that page.': 'Cette page n’existe pas.',
  'Not found': 'Introuvable',
  'Fill in this field.': 'Veuillez remplir ce champ.',
};

function translate(lang: string, text: string, params: object = {}): string {
  const source = lang.startsWith('fr') ? (french[text] ?? text) : text;
  return source.replace(/\{(\w+)\}/g, (whole, name: string) => String(Reflect.get(params, name) ?? whole));
}

export class TestSite {
  readonly application: FakeApplication;
  readonly server: HttpServer;
  port = 0;

  constructor(options: TestOptions) {
    this.application = new FakeApplication(options);
    this.server = createHttpServer(this.application as unknown as HttpApplication, options.patience);
  }

  get origin(): string {
    return `http://localhost:${this.port}`;
  }

  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<TestReply> {
    return this.request(path, { headers });
  }

  /** A form as a browser on our own pages sends it. */
  form(
    path: string,
    fields: Readonly<Record<string, string>> | string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    const body = typeof fields === 'string' ? fields : new URLSearchParams(fields).toString();
    const type = 'application/x-www-form-urlencoded';
    return this.request(path, {
      method: 'POST',
      body,
      headers: { 'content-type': type, origin: this.origin, ...headers },
    });
  }

  rpc(path: string, params: unknown, headers: Readonly<Record<string, string>> = {}): Promise<TestReply> {
    const body = JSON.stringify({ jsonrpc: '2.0', method: 'call', params, id: 7 });
    return this.request(path, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });
  }

  request(path: string, { method = 'GET', headers = {}, body }: TestRequest = {}): Promise<TestReply> {
    return new Promise((resolve, reject) => {
      const about = { port: this.port, host: '127.0.0.1', path, method, agent: false };
      const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
      const req = httpRequest(
        { ...about, headers: { host: `localhost:${this.port}`, ...length, ...headers } },
        (res) => {
          const pieces: Buffer[] = [];
          res.on('data', (piece: Buffer) => pieces.push(piece));
          res.on('error', reject);
          res.on('end', () => {
            const bytes = Buffer.concat(pieces);
            const text = bytes.toString();
            resolve({ status: res.statusCode ?? 0, headers: res.headers, bytes, text, json: () => JSON.parse(text) });
          });
        },
      );
      req.on('error', reject);
      req.end(body);
    });
  }

  /** Sends bytes as they are and answers what comes back until the server closes, or `ms` have passed. */
  raw(bytes: string | Buffer, ms = 1500): Promise<string> {
    return new Promise((resolve) => {
      const socket = connect(this.port, '127.0.0.1', () => socket.write(bytes));
      let seen = '';
      const end = (): void => {
        clearTimeout(timer);
        socket.destroy();
        resolve(seen);
      };
      const timer = setTimeout(end, ms);
      socket.on('data', (piece: Buffer) => {
        seen += piece.toString('latin1');
      });
      socket.on('end', end).on('error', end).on('close', end);
    });
  }

  /** The log line of the last request that says so. */
  logged(match: Readonly<Record<string, unknown>>): Record<string, unknown> | undefined {
    return this.application.lines.findLast((line) =>
      Object.entries(match).every(([key, value]) => line[key] === value),
    );
  }
}

/** Starts a site for one test file; close it with `site.server.close({ graceMs: 0 })`. */
export async function startSite(options: TestOptions): Promise<TestSite> {
  const site = new TestSite(options);
  site.port = (await site.server.listen({ host: '127.0.0.1', port: 0 })).port;
  return site;
}

const people: Readonly<Record<number, Identity>> = {
  1: person(1, 'Ada', ['base.group_user', 'club.manager']),
  2: person(2, 'Bob', ['base.group_user']),
};

function person(id: number, name: string, groups: readonly string[]): Identity {
  return { id, partnerId: id, name, login: name.toLowerCase(), groups: new Set(groups), lang: null, timezone: null };
}

/** An addon that knows these people. */
export const base: TestAddon = {
  name: 'base',
  identity: {
    load: async (ctx, userId) => {
      (ctx as unknown as { reads(table: string): void }).reads('res_users');
      return people[userId] ?? null;
    },
    anonymous: async () => ({ ...person(0, 'Public', ['base.group_public']), id: null, partnerId: null, login: null }),
  },
};

export function fileRef(hash: string, about: Partial<FileRef> = {}): FileRef {
  return { hash, mimetype: 'image/png', size: 10, name: 'picture.png', ...about };
}
