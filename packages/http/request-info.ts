import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { ContextOptions, Cookies, Generation, Host, Identity, Log, SessionView, Tracker } from '@pergola/core';
import type { ReadBounds } from '@pergola/db';
import { followIdentity, followSession, type PageQuestion } from '@pergola/page-cache';
import { DEFAULT_ZONE } from '@pergola/texts';
import { parseCookie } from 'cookie';
import type { Address } from './address.ts';
import { hasUndeclared, queryKey, readQuery } from './routes/query.ts';
import type { BoundRoute, RouteMatch } from './routes/route-table.ts';
import { networkOf } from './security/hosts-address.ts';
import type { RequestSession } from './sessions/session.ts';
import type { Located, Site, SiteState } from './site.ts';
import type { Target } from './target.ts';

/** A request as resolved before routing: host, identity and target. */
export interface RequestInfo extends Located {
  /** Also used as the reference of errors, and in every log entry of the request. */
  readonly id: string;
  readonly req: IncomingMessage;
  readonly method: string;
  readonly target: Target;
  readonly host: Host;
  readonly ip: string;
  readonly cookies: Cookies;
  readonly site: Site;
  readonly state: SiteState;
  readonly session: RequestSession;
  readonly identity: Identity;
  readonly timezone: string;
  readonly log: Log;
  /** Time limit and abort signal for its reads. */
  readonly bounds: ReadBounds;
}

/** Generates request ids: 15 hexadecimal digits, easy to read over the phone, unique across nodes for all practical purposes. */
export function createRequestIds(): () => string {
  const server = randomBytes(4).toString('hex');
  let count = randomBytes(3).readUIntBE(0, 3);
  return () => {
    count = (count + 1) % 0x10000000;
    return server + count.toString(16).padStart(7, '0');
  };
}

/** Cookies of a request; invalid encoding is kept as sent. */
export function cookiesOf(req: IncomingMessage): Cookies {
  return req.headers.cookie === undefined ? {} : parseCookie(req.headers.cookie);
}

/**
 * Determines identity, site and language of a request. Reads the session, and reloads identities, attributes and addresses that are stale.
 */
export async function makeRequestInfo(
  arrival: Omit<RequestInfo, keyof Located | 'state' | 'identity' | 'timezone'>,
): Promise<RequestInfo> {
  const { req, method, target, host, site, cookies, session } = arrival;
  const state = await site.state();
  const identity = session.userId === null ? state.anonymous : await site.identity(session.userId);
  session.noteGroups(identity.groups, site.generation.addons);
  const query = target.query === '' ? '' : `?${target.query}`;
  const request = { host: host.name, path: target.path, cookies, headers: req.headers, method, query };
  const located = site.locate(state, request, identity.lang);
  const bounds = identity.id === null ? arrival.bounds : { ...arrival.bounds, whose: `user ${identity.id}` };
  return { ...arrival, bounds, state, identity, ...located, timezone: timezoneOf(located.address, identity) };
}

/** The same request in the language of the calling page, if the site has it. */
export function inPageLang(info: RequestInfo, pageLang: string): RequestInfo {
  const { site, state, identity, req, method, target, host, cookies } = info;
  const query = target.query === '' ? '' : `?${target.query}`;
  const request = { host: host.name, path: target.path, cookies, headers: req.headers, method, query, pageLang };
  const located = site.locate(state, request, identity.lang);
  return { ...info, ...located, timezone: timezoneOf(located.address, identity) };
}

/** Time zone for dates: the user's, or else the address's (its website's), or else UTC. */
function timezoneOf(address: Address, identity: Identity): string {
  return identity.timezone ?? address.timezone ?? DEFAULT_ZONE;
}

/** Context options of a request. With a tracker, reading user or session makes the page personal. */
export function contextOptions(
  info: RequestInfo,
  options: { session: SessionView; tracker?: Tracker | null; label?: string },
): ContextOptions {
  const { session, tracker = null, label } = options;
  return {
    generation: info.site.generation,
    identity: tracker ? followIdentity(info.identity, tracker) : info.identity,
    lang: info.address.lang,
    timezone: info.timezone,
    siteTimezone: info.address.timezone ?? DEFAULT_ZONE,
    attributes: info.attributes,
    session: tracker ? followSession(session, tracker) : session,
    network: networkOf(info.ip),
    log: info.log,
    tracker,
    label,
    bounds: info.bounds,
  };
}

/** Whether the page cache may be asked for a page; access is checked before. */
export function mayBeKept(bound: BoundRoute | null): boolean {
  if (bound === null) return true;
  const { handling, options } = bound.route;
  return handling.isKept === true && options.cache !== false && options.rate === undefined;
}

interface Asking {
  readonly generation: Generation;
  readonly located: Located;
  readonly identity: Identity;
  readonly origin: string;
  readonly cookies: Cookies;
  readonly session: boolean;
  readonly target: Pick<Target, 'path' | 'parameters'>;
}

/**
 * Cache key of a page, or null if its query doesn't match the route's declaration, or has undeclared values and the visitor has a session.
 */
export function pageQuestion(asking: Asking, match: RouteMatch | null): PageQuestion | null {
  const { generation, located, identity, origin, cookies, session, target } = asking;
  const schema = match?.bound.route.options.query as Parameters<typeof readQuery>[1];
  const raw = target.parameters;
  const undeclared = hasUndeclared(raw, schema);
  // Users with a session may be editing the page, as indicated by undeclared values.
  if (undeclared && session) return null;
  let query = '';
  try {
    query = queryKey(readQuery(raw, schema));
  } catch {
    return null;
  }
  const { address, attributeKeys } = located;
  return {
    generation,
    origin,
    path: address.path,
    visitedPath: target.path,
    lang: address.lang,
    timezone: timezoneOf(address, identity),
    groups: identity.groups,
    attributes: attributeKeys,
    query,
    undeclared,
    session,
    cookies,
  };
}

/** Whether a script requests data instead of a page. */
export function wantsJson({ headers: { accept = '' } }: IncomingMessage): boolean {
  return accept.includes('application/json') && !accept.includes('text/html');
}
