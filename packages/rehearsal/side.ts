import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import {
  type Application,
  addonStorage,
  BrokenAddons,
  type CodeReview,
  type Config,
  createLog,
  fullMessage,
  inEnglish,
  openApplication,
  type Part,
  PergolaError,
  type Problem,
} from '@pergola/core';
import { QUERY_CHANNEL, type QueryTrace, sqliteFile } from '@pergola/db';
import { type HttpServer, identityOf, serveHttp, sessions } from '@pergola/http';
import { catalogs } from '@pergola/texts';
import { plainAddresses, routeOf, sampled, sitemapAddresses } from './addresses.ts';
import type { OutgoingGuard } from './outgoing.ts';
import { htmlFacts } from './page-facts.ts';
import { type PageReply, requestPage } from './requests.ts';
import { siteFacts } from './site-facts.ts';
import type {
  PageFacts,
  PageRequest,
  RehearsedAction,
  RoleName,
  Side,
  SiteFacts,
  SwitchResult,
  Viewer,
} from './types.ts';

/** Options for opening a copy of the site. */
export interface SideOptions {
  /** Configuration of the live site. */
  readonly config: Config;
  /** URL of the copy of its database. */
  readonly databaseUrl: string;
  /** Empty folder for what the copy writes. */
  readonly folder: string;
  readonly parts: readonly Part[];
  /** Folders of addons; default as configured. */
  readonly roots?: readonly string[];
  /** Refuses connections of this process. */
  readonly outgoing?: Pick<OutgoingGuard, 'refused'>;
}

/** The roles whose pages are compared, besides visitors. */
const roles: readonly {
  readonly as: RoleName;
  readonly groups: readonly string[];
  readonly without: readonly string[];
}[] = [
  { as: 'customer', groups: ['base.group_portal'], without: ['base.group_user'] },
  {
    as: 'editor',
    groups: ['website.group_website_publisher', 'website.group_website_designer'],
    without: ['base.group_system'],
  },
  { as: 'administrator', groups: ['base.group_system'], without: [] },
];
const failed: SwitchResult = { problems: [], reviews: [], addons: [], fingerprint: null };
/** Maximum number of users to look at when searching one for each role. */
const MAX_USERS = 500;
/** Maximum number of redirects to follow. */
const MAX_HOPS = 10;
/** The page cache leaves out visitors who just wrote on another node, so each page is rendered. */
const UNCACHED = 'pergola_wrote=elsewhere';

/** Opens a copy of the site in this process. It sends no mail, runs no jobs and listens on no port. */
export async function openSide({ config, databaseUrl, folder, parts, roots, outgoing }: SideOptions): Promise<Side> {
  const logged: string[] = [];
  const log = createLog('warn', {}, (line) => logged.push(line));
  const copyConfig: Config = {
    ...config,
    databaseUrl,
    dataDir: folder,
    filesBelow: config,
    dev: false,
    // Every failure counts, not only those before a part is switched off.
    breakerMs: 0,
    // A rehearsal may share its machine with the live site, and must never be refused for being slow.
    patience: Math.max(config.patience, 20),
  };
  const application = await openApplication(copyConfig, { log, parts, roots });
  return new OpenSide({ application, logged, refused: outgoing?.refused ?? new Set() });
}

/** Hosts that a copy may contact: of the database and of the bucket with its files. */
export function neededHosts({ databaseUrl, s3 }: Config): string[] {
  const urls = [...(sqliteFile(databaseUrl) === null ? [databaseUrl] : []), ...(s3 ? [s3.url] : [])];
  return urls.map((url) => new URL(url).hostname.replace(/^\[|\]$/g, ''));
}

interface SideParts {
  readonly application: Application;
  /** Lines of the log. */
  readonly logged: string[];
  readonly refused: ReadonlySet<string>;
}

class OpenSide implements Side {
  readonly #application: Application;
  readonly #logged: string[];
  readonly #refused: ReadonlySet<string>;
  readonly #cookies = new Map<number, string>();
  /** Queries of the page that is rendered; others belong to the process. */
  readonly #queries = new AsyncLocalStorage<QueryTrace[]>();
  /** Pages rendered to find links, which needn't be rendered again. */
  readonly #rendered = new Map<string, PageFacts>();
  /** Pages are rendered one after the other, so that queries and errors are known to be theirs. */
  #last: Promise<unknown> = Promise.resolve();
  #server: HttpServer | null = null;

  constructor({ application, logged, refused }: SideParts) {
    this.#application = application;
    this.#logged = logged;
    this.#refused = refused;
    subscribe(QUERY_CHANNEL, this.#noteQuery);
  }

  async unready(): Promise<readonly string[]> {
    const { ready, unready, lifecycle } = this.#application;
    const leftOut = [...lifecycle.leftOut.values()].flat().map(({ addon, message }) => `${addon}: ${message}`);
    return ready ? [] : [...unready, ...leftOut];
  }

  viewers(): Promise<readonly Viewer[]> {
    return this.#application.asSystem('read', async (ctx) => {
      const ids = await ctx.modelNamed('res.users').search([], { order: 'id', limit: MAX_USERS });
      const viewers: Viewer[] = [{ as: 'visitor', userId: null }];
      const open = new Set(roles);
      for (const userId of ids) {
        const groups = (await identityOf(ctx, userId))?.groups;
        for (const role of groups ? open : []) {
          if (!role.groups.some((group) => groups?.has(group))) continue;
          if (role.without.some((group) => groups?.has(group))) continue;
          viewers.push({ as: role.as, userId });
          open.delete(role);
        }
        if (open.size === 0) break;
      }
      return viewers;
    });
  }

  async addresses(viewers: readonly Viewer[], limit: number): Promise<readonly string[]> {
    const { generation } = this.#application;
    const plain = plainAddresses(generation);
    const listed = await sitemapAddresses(async (path) => (await this.#request(path, null)).body, limit * 20);
    const links = new Set<string>();
    for (const viewer of viewers)
      for (const path of ['/', ...plain].slice(0, limit)) {
        const [page] = await this.render([{ path, viewer }]);
        if (page) this.#rendered.set(`${viewer.as} ${path}`, page);
        for (const link of [...(page?.html?.links ?? []), ...Object.values(page?.html?.alternates ?? {})])
          links.add(link);
      }
    return sampled(generation, ['/', ...plain], [...listed, ...links], limit);
  }

  render(pages: readonly PageRequest[]): Promise<readonly PageFacts[]> {
    const rendered = this.#last.then(async () => {
      const facts: PageFacts[] = [];
      for (const { path, viewer } of pages) facts.push(await this.#render(path, viewer));
      return facts;
    });
    this.#last = rendered.catch(() => {});
    return rendered;
  }

  async withoutTranslation(lang: string, texts: readonly string[]): Promise<readonly string[]> {
    const { generation } = this.#application;
    const catalog = generation.get(catalogs);
    const code = lang.replace('-', '_');
    return texts.filter((text) => !generation.addons.some(({ name }) => catalog.lookup(code, name, text)));
  }

  facts(): Promise<SiteFacts> {
    return siteFacts(this.#application);
  }

  async apply(action: RehearsedAction, names: readonly string[], consents: boolean): Promise<SwitchResult> {
    const { lifecycle } = this.#application;
    const by = 'rehearsal';
    try {
      const storage = this.#application.get(addonStorage);
      const { reviews, problems } = await lifecycle.plan(action, names);
      if (problems.length > 0) return { ...failed, problems };
      if (!consents && reviews.some(needsReading)) return { ...failed, reviews };
      const consent = { digests: reviews.map(({ digest }) => digest), by };
      const fingerprint = await storage.fingerprint(await lifecycle.plan(action, names, { consent }));
      const { addons } = await lifecycle.run(action, names, { by, yes: true, confirm: names[0], consent });
      // Work that usually follows a switch, as jobs.
      await storage.finish();
      await lifecycle.follower.check();
      this.#rendered.clear();
      const switched = new Set(addons.map(({ name }) => name));
      const failures = (await lifecycle.list()).filter(({ name }) => switched.has(name));
      const faults = failures.flatMap((addon) => addon.problems);
      return {
        ...failed,
        problems: faults,
        addons: [...switched],
        fingerprint: faults.length > 0 ? null : fingerprint,
      };
    } catch (error) {
      return { ...failed, problems: problemsOf(error, names) };
    }
  }

  async refusedHosts(): Promise<readonly string[]> {
    return [...this.#refused].toSorted();
  }

  async close(): Promise<void> {
    unsubscribe(QUERY_CHANNEL, this.#noteQuery);
    await this.#server?.close({ graceMs: 0, deadlineMs: 0 });
    await this.#application.close();
  }

  readonly #noteQuery = (trace: unknown): void => {
    this.#queries.getStore()?.push(trace as QueryTrace);
  };

  async #render(path: string, viewer: Viewer): Promise<PageFacts> {
    const key = `${viewer.as} ${path}`;
    const rendered = this.#rendered.get(key);
    if (rendered) {
      this.#rendered.delete(key);
      return rendered;
    }
    this.#logged.length = 0;
    const queries: QueryTrace[] = [];
    const usage = process.cpuUsage();
    const reply = await this.#queries.run(queries, () => this.#request(path, viewer.userId));
    const { user, system } = process.cpuUsage(usage);
    // The time that passes also depends on other programs; the time of a database server isn't time of this process.
    const isServer = sqliteFile(this.#application.config.databaseUrl) === null;
    const serverMs = isServer ? queries.reduce((sum, query) => sum + (query.ms ?? 0), 0) : 0;
    const ms = (user + system) / 1_000 + serverMs;
    const { status, location, type, body } = reply;
    const loop = location === null ? [] : await this.#loopFrom(path, location, viewer);
    return {
      status,
      location,
      loop,
      errors: this.#logged.flatMap((line) => errorIn(line) ?? []),
      route: routeOf(this.#application.generation, path) ?? '',
      bytes: Buffer.byteLength(body),
      queries: queries.length,
      ms,
      html: type.startsWith('text/html') ? htmlFacts(body, this.#application.config.baseUrl) : null,
    };
  }

  async #loopFrom(path: string, location: string, viewer: Viewer): Promise<readonly string[]> {
    const { baseUrl } = this.#application.config;
    const visited = [path];
    let next: string | null = location;
    while (next !== null && visited.length <= MAX_HOPS) {
      const url: URL | null = URL.parse(next, `${baseUrl}${visited.at(-1)}`);
      if (url?.host !== new URL(baseUrl).host) return [];
      const target: string = url.pathname + url.search;
      if (visited.includes(target)) return [...visited, target];
      visited.push(target);
      next = (await this.#request(target, viewer.userId)).location;
    }
    return next === null ? [] : visited;
  }

  async #request(path: string, userId: number | null): Promise<PageReply> {
    this.#server ??= await serveHttp(this.#application);
    const { config } = this.#application;
    const cookies = userId === null ? UNCACHED : `${await this.#signedIn(userId)}; ${UNCACHED}`;
    const headers = { host: new URL(config.baseUrl).host, accept: 'text/html', cookie: cookies, connection: 'close' };
    const reply = await requestPage(this.#server, { path, headers });
    if (userId !== null) this.#keepSession(userId, reply.setCookies);
    return reply;
  }

  async #signedIn(userId: number): Promise<string> {
    const cookie = this.#cookies.get(userId);
    if (cookie !== undefined) return cookie;
    const draft = (await this.#application.get(sessions).load({})).draft();
    draft.signIn(userId);
    this.#keepSession(userId, await draft.commit({ ip: '127.0.0.1', userAgent: 'rehearsal' }));
    return this.#cookies.get(userId) ?? '';
  }

  #keepSession(userId: number, setCookies: readonly string[]): void {
    const { cookieName } = this.#application.get(sessions);
    const cookie = setCookies.find((line) => line.startsWith(`${cookieName}=`))?.split(';')[0];
    if (cookie !== undefined) this.#cookies.set(userId, cookie);
  }
}

/** Naming an addon agrees to its code, but not to what a later version can do as well. */
function needsReading({ added, consentedVersion }: CodeReview): boolean {
  return consentedVersion !== null && added.some(({ risk }) => risk === 'high');
}

function problemsOf(error: unknown, names: readonly string[]): readonly Problem[] {
  if (error instanceof BrokenAddons) return error.problems;
  const message =
    error instanceof PergolaError
      ? inEnglish({ text: error.message, params: error.params })
      : Error.isError(error)
        ? fullMessage(error)
        : String(error);
  return names.map((addon) => ({ addon, message }));
}

/** `TypeError: …` of a logged failure, or null. */
function errorIn(line: string): string | null {
  const entry: unknown = JSON.parse(line);
  if (typeof entry !== 'object' || entry === null || !('err' in entry)) return null;
  const { err } = entry;
  if (typeof err !== 'object' || err === null || !('message' in err)) return null;
  return String(err.message).split('\n')[0] ?? null;
}
