import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Config } from '../base/config.ts';
import type { Problem } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Ctx, Facts, Identity, SessionView } from '../context/context.ts';
import type { Tracker } from '../context/tracker.ts';
import type { Database, ReadBounds } from '../db/types.ts';
import type { FileStore } from '../files/types.ts';
import type { Generation } from '../kernel/generation.ts';
import type { Id } from '../model/fields.ts';
import type { ResolvableRequest } from '../page/define.ts';

/**
 * What the HTTP layer needs of the kernel, and what its parts promise each other: sessions, the guards at the door, rate limits and the page
 * cache stand behind these types, so that dispatch can be tested against a fake of each.
 */
export interface HttpKernel {
  readonly config: Config;
  readonly log: Log;
  readonly database: Database;
  readonly files: FileStore;
  /** True from the moment the process has been told to stop: `/readyz` answers 503, new work is still served. */
  readonly draining: boolean;
  /** What keeps this node from serving as it should ("addon forum 1.2.0 is not on this disk"); empty when nothing does. Quick, never waits. */
  readonly unready: readonly string[];
  /** In development: what of the code is not served as it was saved, and why; else empty. */
  readonly problems: readonly Problem[];
  /** Holds the generation that serves now. */
  lease(): Lease;
  /** Runs `work` on the read pool in a context of its own, which is disposed afterwards. */
  read<T>(options: ContextOptions, work: (ctx: Ctx) => Promise<T>): Promise<T>;
  /** Runs `work` in one write transaction and answers after the commit. `work` may run again from its beginning. */
  write<T>(options: ContextOptions, work: (ctx: Ctx) => Promise<T>): Promise<T>;
  readonly sessions: SessionStore;
  readonly guards: Guards;
  readonly limiter: RateLimiter;
  readonly pageCache: PageCache;
}

/** A generation that is not disposed before `release`: called once, when the response is closed *and* the handler has settled. */
export interface Lease {
  readonly generation: Generation;
  release(): void;
}

/** What a request brings to its context. */
export interface ContextOptions {
  readonly generation: Generation;
  readonly identity: Identity;
  readonly lang: string;
  readonly timezone: string;
  readonly facts: Readonly<Facts>;
  readonly session: SessionView;
  /** Where it comes from; left out where nobody asked. */
  readonly network?: string;
  /** The request's own log: carries its id. */
  readonly log: Log;
  /** Follows what is read, for pages that may be kept; null or left out where nothing is kept. */
  readonly tracker?: Tracker | null;
  /** Lifts rights; for the kernel's own reads (identities, facts). */
  readonly su?: boolean;
  /** For logs of the database: the route's name. */
  readonly label?: string;
  /** How long its statements may take where it only reads, and what ends them. */
  readonly bounds?: ReadBounds;
}

/* ---------------------------------------------------------------- sessions ---------------------------------------------------------------- */

export type Cookies = Readonly<Record<string, string | undefined>>;

/** Sessions of visitors; rows exist only once something was kept in one. */
export interface SessionStore {
  /** `session_id`, or `__Host-session_id` where the site is https. */
  readonly cookieName: string;
  /** The visitor's session; an empty one when there is no cookie, or it names a session that is forged, expired or ended. Cheap without a cookie. */
  load(cookies: Cookies): Promise<RequestSession>;
  /** Deletes sessions that no longer hold, in small batches; answers how many. To be run now and then by one node. */
  sweep(): Promise<number>;
  /** Writes what is still to be written (when sessions were last seen). */
  close(): Promise<void>;
}

export interface RequestSession {
  /** Whether there is a session row behind it. */
  readonly exists: boolean;
  /** Who signed in, if anybody. */
  readonly userId: Id | null;
  /** What the CSRF token is bound to; null without a session. */
  readonly csrfSecret: Uint8Array | null;
  /** Told the groups of the user behind the session: when they differ from those it was begun with, the next `commit` gives it a new id. */
  noteGroups(groups: ReadonlySet<string>): void;
  /** A view that collects changes until `commit`; made anew for every try of a handler that is run again. */
  draft(): SessionDraft;
}

/** Changes of one try of a handler. */
export interface SessionDraft extends SessionView {
  /** Whether there is anything to commit that the visitor's next request may depend on. */
  readonly changed: boolean;
  /** Makes the changes lasting, after the handler's own commit; answers the `Set-Cookie` values for the reply. Nothing changed: nothing done. */
  commit(about: { ip: string; userAgent: string }): Promise<readonly string[]>;
}

/* ----------------------------------------------------------------- guards ------------------------------------------------------------------ */

/** Where a request came in, checked. */
export interface Host {
  /** Without port, lower case. */
  readonly name: string;
  /** Scheme, name and port as the visitor uses them: `https://club.example`. */
  readonly origin: string;
}

/** What a check against calls from other sites looks at. */
export interface CrossSiteQuestion {
  readonly headers: IncomingMessage['headers'];
  /** The origin of this request's host. */
  readonly origin: string;
}

export interface Guards {
  /**
   * The host a request is for; null for a host that is not ours, for two Host lines, and for an absolute target of elsewhere. `more` are names
   * served beside the configured ones. Forwarded headers count only from trusted proxies.
   */
  resolveHost(req: IncomingMessage, more: readonly string[]): Host | null;
  /** The visitor's address; forwarded headers count only from trusted proxies. */
  clientAddress(req: IncomingMessage): string;
  /** Whether the peer itself (not what it forwards) is this machine or a trusted proxy. */
  isTrustedPeer(req: IncomingMessage): boolean;
  /**
   * Throws NotAllowed when `Origin` or `Sec-Fetch-Site` show another site. `required`: one of them has to be there (forms without a session,
   * beacons); `if-present`: both absent is fine, since no browser does that (calls with a JSON content type).
   */
  checkSameOrigin(question: CrossSiteQuestion, proof: 'required' | 'if-present'): void;
  /** Throws NotAllowed unless a form comes from our pages: with a session its token, without one a same-origin proof (ruling 19). */
  checkCsrf(question: CrossSiteQuestion, session: RequestSession, token: string | null): void;
  /** What `{{csrf}}` puts into forms; empty for visitors without a session. */
  csrfToken(session: RequestSession): string;
  /**
   * Headers of every reply of a kind, CSP included. `page`: HTML of ours; `data`: JSON and plain text; `file`: content that came from people;
   * `asset`: scripts, styles, fonts and pictures of addons.
   */
  securityHeaders(
    kind: 'page' | 'data' | 'file' | 'asset',
    generation: Generation | null,
  ): Readonly<Record<string, string>>;
}

/** The name of the hidden field (and of the header, `x-csrf-token`, of forms sent by script) that carries the token. */
export const CSRF_FIELD = 'csrf_token';

/** One call to be counted: at most `calls` of one `key` under `name` in any `seconds`, over all nodes. */
export interface RatedCall {
  readonly name: string;
  readonly key: string;
  readonly calls: number;
  readonly seconds: number;
  /** Counted by this process alone, in memory: for limits on its own work, which must cost less than that work. */
  readonly here?: boolean;
}
export interface RateVerdict {
  readonly ok: boolean;
  /** Whole seconds after which a new try makes sense; 0 when it was let through. */
  readonly retryAfter: number;
}
/** One try to sign in. */
export interface SignInTry {
  /** What was typed as login, whether such an account exists or not. */
  readonly account: string;
  readonly address: string;
}

/** Counts in small transactions of its own: never called inside a write. Throws Unavailable when the database is away. */
export interface RateLimiter {
  /** Counts one call; throws TooMany when its window is full. */
  take(call: RatedCall): Promise<void>;
  /** The same, but answers instead of throwing. A refused call is not counted. */
  tryTake(call: RatedCall): Promise<RateVerdict>;
  /** Counts one try to sign in (or another use of a password): at most 10 a minute per account, 60 per address; throws TooMany. */
  takeSignIn(attempt: SignInTry): Promise<void>;
  /** Gives back a try whose password was right, so that only wrong ones count. */
  giveBackSignIn(attempt: SignInTry): Promise<void>;
  /** Deletes counters whose windows are over; answers how many. To be run now and then by one node. */
  sweep(): Promise<number>;
}

/* --------------------------------------------------------------- page cache ---------------------------------------------------------------- */

/** Something per visitor that is put into a page after the cache. */
export type Hole = { readonly kind: 'fragment'; readonly id: string } | { readonly kind: 'csrf' };

/** A page cut at its holes: always one more part than holes. */
export interface PageParts {
  readonly parts: readonly string[];
  readonly holes: readonly Hole[];
}

/** Everything a kept page is kept under, besides its freshness. */
export interface PageQuestion {
  readonly generation: Generation;
  readonly origin: string;
  /** As routed: without language prefix. */
  readonly path: string;
  /** As the visitor wrote it, with the prefix. */
  readonly visitedPath: string;
  readonly lang: string;
  readonly timezone: string;
  readonly groups: ReadonlySet<string>;
  /** The keys of all facts, in order. */
  readonly facts: string;
  /** The declared query values as parsed, in JSON with sorted keys; the empty text when there are none. */
  readonly query: string;
  /** Visitors without a session all get the same page; those with one get it with its holes filled for them. */
  readonly session: boolean;
  /** Among them what says how new a page has to be for a visitor who wrote (ruling 15). */
  readonly cookies: Cookies;
}

/** What a render made, before it is known whether it may be kept. */
export interface RenderedPage extends PageParts {
  readonly status: number;
  /** Content type, security headers, and what the handler set. */
  readonly headers: Readonly<Record<string, string>>;
  /** False when something forbids keeping it that no tracker sees (cookies set, a status other than 200). */
  readonly keep: boolean;
}

export type Encoding = 'identity' | 'gzip' | 'br';

/** A page out of the cache. */
export interface KeptPage {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Parts and holes still to be filled for this visitor. A page without holes has one part. */
  readonly parts: readonly Buffer[];
  readonly holes: readonly Hole[];
  /** Of a page without holes: a weak validator, since its compressed forms share it; null with holes. */
  readonly etag: string | null;
  /** The content of a page without holes, in the first of the wanted encodings that is ready. */
  content(wanted: readonly Encoding[]): { readonly bytes: Buffer; readonly encoding: Encoding };
}

/** A GET or HEAD request of a visitor without a session, before anything of it was parsed. */
export interface LocatableRequest extends ResolvableRequest {
  readonly origin: string;
  /** With its `?`, or empty. */
  readonly query: string;
}

/** How the page cache asks what a request means, so that it can answer in front of Express. */
export interface PageLocator {
  /**
   * Stands for everything that `locate` rests on beside the request: another object as soon as any of it changed (generation, prepared facts
   * and addresses). Null while that is being prepared again: then nothing kept is served. Asked on every hit: as quick as it can be.
   */
  epoch(): object | null;
  /**
   * What the page of a visitor without a session is kept under; null when the request has to go the long way (redirect, cookies to set, unknown
   * query, nothing that may be kept). Pure: headers and cookies only through `request`, which notes which of them were read, so that the next
   * request with the same ones need not be located again.
   */
  locate(request: LocatableRequest): PageQuestion | null;
}

/** Says in `pergola dev` whether a page was kept, and if not, why. */
export const CACHE_HEADER = 'X-Pergola-Cache';

export interface PageCache {
  /**
   * Answers a GET or HEAD request of a visitor without a session from memory: true when the reply is sent (200 or 304), false when the request has
   * to go the long way. As near to a bare server as can be.
   */
  answer(req: IncomingMessage, res: ServerResponse, host: Host, locator: PageLocator): boolean;
  /** Sends a kept page without holes: 304 or 200, compressed where the visitor takes it. */
  send(req: IncomingMessage, res: ServerResponse, page: KeptPage): void;
  /** The kept page, if there is one that is fresh enough; synchronous, asked before Express. */
  lookup(question: PageQuestion): KeptPage | null;
  /**
   * Renders a page that was not kept; one render serves all who ask the same at the same time, unless it turns out to be personal: then each
   * renders alone. Keeps it when nothing forbids. `render` reports all it reads to the tracker.
   */
  render(question: PageQuestion, render: (tracker: Tracker) => Promise<RenderedPage>): Promise<RenderedPage>;
  /** `Set-Cookie` values after a write of this visitor, so that no node shows them an older page. */
  afterWrite(): readonly string[];
  /** Why the page was not kept when it was last rendered, for developers; null when it was or was never asked for. */
  explain(question: PageQuestion): string | null;
  readonly stats: { readonly hits: number; readonly misses: number; readonly pages: number; readonly bytes: number };
}

declare module '../context/internals.ts' {
  interface ContextInternals {
    readonly limiter: RateLimiter;
  }
}
