import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { namedCache } from '@pergola/caches';
import type { Cookies, Host, Tracker } from '@pergola/core';
import type { Changes } from '@pergola/db';
import type { LRUCache } from 'lru-cache';
import { FastPath } from './fast-path.ts';
import { KeptPage } from './kept-page.ts';
import { pageKey } from './page-key.ts';
import { RenderTracker, unchanged } from './render-tracker.ts';
import { sendKept } from './send.ts';
import { CACHE_HEADER, type PageLocator, type PageQuestion, type RenderedPage } from './types.ts';

/**
 * Cookie that names, for two seconds, the process a visitor wrote through: that process already knows of the change, the others within 250
 * ms.
 */
export const WROTE_COOKIE = 'pergola_wrote';

const defaultBytes = 32 * 1024 * 1024;
const wroteSeconds = 2;
/** Number of pages for which reasons are remembered. */
const reasonsKept = 2_000;
/** Suffix of the key of a page with its holes filled. */
const FILLED = ' filled';
const maxKeyLength = 2_000;

export interface PageCacheOptions {
  readonly changes: Changes;
  /** Whether cookies require https. */
  readonly secure: boolean;
  /** Size limit for pages with their compressed versions, in bytes. Default 32 MB. */
  readonly bytes?: number;
  /** Whether cached pages are marked by a header (`pergola dev`). */
  readonly dev?: boolean;
  /** Milliseconds since 1970. */
  readonly clock?: () => number;
}

interface Flight {
  readonly tracker: RenderTracker;
  /** The page, or null if waiting requests have to render it themselves. */
  readonly landed: Promise<RenderedPage | null>;
}

interface Counters {
  hits: number;
  misses: number;
  /** Pages served from a render started by another visitor. */
  joined: number;
  kept: number;
  personal: number;
}

/**
 * Caches pages until the data they were made from changes.
 *
 *   render:  version of a table ─▶ its rows ─▶ … ─▶ page ─▶ cached if all versions are unchanged
 *   commit:  rows ─▶ commit ─▶ version rises ─▶ acknowledged
 *
 * A page made from old rows therefore has an old version, and once a write is acknowledged, no visitor gets a page from before it.
 */
export class PageCache {
  readonly #changes: Changes;
  readonly #pages: LRUCache<string, KeptPage>;
  readonly #clock: () => number;
  readonly #secure: boolean;
  readonly #dev: boolean;
  readonly #fastPath: FastPath;
  readonly #flights = new Map<string, Flight>();
  readonly #reasons = namedCache<string, string>('page_reasons', { max: reasonsKept, entryBytes: 400 });
  readonly #counters: Counters = { hits: 0, misses: 0, joined: 0, kept: 0, personal: 0 };
  /** Identifies this process in the cookie; reveals nothing about the node. */
  readonly #mark = randomBytes(6).toString('base64url');
  readonly #unsubscribe: () => void;
  /** Incremented with every change: a page found fresh at this count needs no further check. */
  #changeCount = 0;
  #generation = -1;

  constructor(options: PageCacheOptions) {
    this.#changes = options.changes;
    this.#secure = options.secure;
    this.#dev = options.dev ?? false;
    this.#clock = options.clock ?? (() => Date.now());
    this.#pages = namedCache('pages', {
      maxSize: options.bytes ?? defaultBytes,
      sizeCalculation: (page, key) => page.size + key.length * 2,
    });
    this.#unsubscribe = options.changes.subscribe(() => {
      this.#changeCount += 1;
    });
    this.#fastPath = new FastPath(
      (key, undeclared) => this.#best(key, undeclared),
      (wrote) => this.wroteHere(wrote),
    );
  }

  get stats(): Readonly<Counters> & { readonly pages: number; readonly bytes: number } {
    return { ...this.#counters, pages: this.#pages.size, bytes: this.#pages.calculatedSize };
  }

  /**
   * Serves a GET or HEAD request of a visitor without a session from memory. Returns true once the reply is sent (200 or 304), false if the
   * request needs the full path. Kept as close to a bare server as possible.
   */
  answer(req: IncomingMessage, res: ServerResponse, host: Host, locator: PageLocator): boolean {
    if (!this.#changes.healthy) return false;
    const page = this.#fastPath.find(req, host, locator);
    if (page === null) return false;
    this.#counters.hits += 1;
    sendKept(req, res, page);
    return true;
  }

  /** Sends a cached page without holes: 304 or 200, compressed if the visitor accepts it. */
  send(req: IncomingMessage, res: ServerResponse, page: KeptPage): void {
    sendKept(req, res, page);
  }

  /** The cached page if it is fresh enough; synchronous. */
  lookup(question: PageQuestion): KeptPage | null {
    const page = this.wroteElsewhere(question.cookies) ? null : this.#best(pageKey(question), question.undeclared);
    if (page) this.#counters.hits += 1;
    else this.#counters.misses += 1;
    return page;
  }

  /**
   * Renders a page that isn't cached. Concurrent requests for it share one render, unless the page turns out to be personal: then each
   * renders separately. Caches the page if possible. `render` reports all its reads to the tracker.
   */
  render(question: PageQuestion, render: (tracker: Tracker) => Promise<RenderedPage>): Promise<RenderedPage> {
    return this.#renderOnce(pageKey(question), question, render);
  }

  /**
   * Fills the holes of a cached page for visitors without a session and caches the result separately: seats and stock change more often
   * than the page around them, but are still read far more often than they change.
   */
  fill(question: PageQuestion, fill: (tracker: Tracker) => Promise<RenderedPage>): Promise<RenderedPage> {
    return this.#renderOnce(pageKey(question) + FILLED, question, fill);
  }

  async #renderOnce(
    key: string,
    question: PageQuestion,
    render: (tracker: Tracker) => Promise<RenderedPage>,
  ): Promise<RenderedPage> {
    this.#follow(question.generation.number);
    // A visitor who wrote through another process must not share a render that started before this process learned of the change.
    const isSeparate = this.wroteElsewhere(question.cookies) || this.#reasons.has(key);
    const flight = isSeparate ? undefined : this.#flights.get(key);
    if (flight?.tracker.current) {
      const page = await flight.landed;
      if (page && !isOfAnotherAddress(question, flight.tracker)) {
        this.#counters.joined += 1;
        return page;
      }
      return this.#renderAndKeep(key, question, new RenderTracker(this.#changes), render);
    }
    const tracker = new RenderTracker(this.#changes);
    const work = this.#renderAndKeep(key, question, tracker, render);
    if (!isSeparate) this.#shareRender(key, question, tracker, work);
    return work;
  }

  /** `Set-Cookie` values after a write of this visitor, so that no node shows them an outdated page. */
  afterWrite(): readonly string[] {
    const flags = `Path=/; Max-Age=${wroteSeconds}; HttpOnly; SameSite=Lax${this.#secure ? '; Secure' : ''}`;
    return [`${WROTE_COOKIE}=${this.#mark}.${this.#clock().toString(36)}; ${flags}`];
  }

  /** Whether the write cookie names this process. */
  wroteHere(wrote: string): boolean {
    return wrote.startsWith(`${this.#mark}.`);
  }

  /** Whether the visitor has just written through another process, so that this one may not know of the change yet. */
  wroteElsewhere(cookies: Cookies): boolean {
    const wrote = cookies[WROTE_COOKIE];
    return wrote !== undefined && !this.wroteHere(wrote);
  }

  /** Reason why the page wasn't cached when it was last rendered, for developers. Null if it was cached or never requested. */
  explain(question: PageQuestion): string | null {
    return this.#reasons.get(pageKey(question)) ?? null;
  }

  /** Stops listening for changes and clears the cache. */
  close(): void {
    this.#unsubscribe();
    this.#pages.clear();
  }

  /** The page under a key, with its holes filled if that version is cached too. */
  #best(key: string, undeclared: boolean): KeptPage | null {
    const serves = (page: KeptPage | null): KeptPage | null => (page && undeclared && page.readsAddress ? null : page);
    const page = serves(this.#fresh(key));
    return page === null || page.holes.length === 0 ? page : (serves(this.#fresh(key + FILLED)) ?? page);
  }

  /** The page under a key, or null if a table it was made from has changed; then it is removed. */
  #fresh(key: string): KeptPage | null {
    const page = this.#pages.get(key);
    if (!page || !this.#changes.healthy) return null;
    if (page.expires <= this.#clock()) {
      this.#pages.delete(key);
      return null;
    }
    if (page.checkedAt === this.#changeCount) return page;
    if (!unchanged(page.versions, this.#changes)) {
      this.#pages.delete(key);
      return null;
    }
    page.checkedAt = this.#changeCount;
    return page;
  }

  #shareRender(key: string, question: PageQuestion, tracker: RenderTracker, work: Promise<RenderedPage>): void {
    const landed = work.then(
      (page) => (page.keep && tracker.reason === null && !isOfAnotherAddress(question, tracker) ? page : null),
      () => null,
    );
    const flight: Flight = { tracker, landed };
    this.#flights.set(key, flight);
    void landed.then(() => {
      if (this.#flights.get(key) === flight) this.#flights.delete(key);
    });
  }

  async #renderAndKeep(
    key: string,
    question: PageQuestion,
    tracker: RenderTracker,
    render: (tracker: Tracker) => Promise<RenderedPage>,
  ): Promise<RenderedPage> {
    const page = await render(tracker);
    if (tracker.reason !== null) this.#counters.personal += 1;
    if (isOfAnotherAddress(question, tracker)) return page;
    const reason = this.#uncacheableReason(page, tracker);
    this.#note(key, reason);
    if (reason === null && tracker.current) this.#keep(key, question, page, tracker);
    return page;
  }

  /** Reason why a page can't be cached at all. A page whose tables changed during rendering is just not cached this time. */
  #uncacheableReason(page: RenderedPage, tracker: RenderTracker): string | null {
    if (tracker.reason !== null) return tracker.reason;
    if (page.status !== 200) return `its status is ${page.status}`;
    if (Object.keys(page.headers).some((name) => name.toLowerCase() === 'set-cookie')) return 'its reply sets cookies';
    if (!page.keep) return 'its route or its reply forbids it';
    if (tracker.expires <= this.#clock()) return 'it is stale as soon as it is made';
    const bytes = page.parts.reduce((sum, part) => sum + part.length, 0);
    // A larger page would evict too many others.
    return bytes <= this.#pages.maxSize / 8 ? null : `its ${bytes} characters are too many`;
  }

  #keep(key: string, { session }: PageQuestion, page: RenderedPage, tracker: RenderTracker): void {
    const { versions, expires, readsAddress } = tracker;
    const headers = this.#dev ? { ...page.headers, [CACHE_HEADER]: 'kept' } : page.headers;
    const cachedPage: KeptPage = new KeptPage(
      { ...page, headers },
      { session, versions, expires, readsAddress },
      () => {
        // Set again to update its size, if it is still cached.
        if (this.#pages.peek(key) !== cachedPage) return;
        this.#pages.delete(key);
        this.#pages.set(key, cachedPage);
      },
    );
    cachedPage.checkedAt = this.#changeCount;
    this.#pages.set(key, cachedPage);
    this.#counters.kept += 1;
  }

  #note(key: string, reason: string | null): void {
    if (reason === null || key.length > maxKeyLength) this.#reasons.delete(key);
    else this.#reasons.set(key, reason);
  }

  /** Pages of an older generation are never requested again, so their memory is freed at once. */
  #follow(generation: number): void {
    if (generation <= this.#generation) return;
    this.#generation = generation;
    this.#pages.clear();
    this.#reasons.clear();
  }
}

/** Whether a page depends on query values that aren't part of its key. */
function isOfAnotherAddress({ undeclared }: PageQuestion, { readsAddress }: RenderTracker): boolean {
  return undeclared && readsAddress;
}
