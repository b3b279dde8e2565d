import type { IncomingMessage, ServerResponse } from 'node:http';
import express from 'express';
import { Unavailable } from '../base/errors.ts';
import type { Host } from '../context/request-view.ts';
import { assets } from '../island/points.ts';
import { dispatch, type Progress } from './dispatch.ts';
import type { InFlight } from './in-flight.ts';
import type { Ticket } from './load-shedder.ts';
import { Gone, Malformed, WrongHost } from './malformed.ts';
import type { Metrics } from './metrics.ts';
import { type ErrorStyle, sendError, styleOf } from './replies/error-reply.ts';
import { failureOf } from './replies/failure.ts';
import { setHeaders } from './replies/wire.ts';
import { cookiesOf, createRequestIds, makeRequestInfo, type RequestInfo } from './request-info.ts';
import type { HttpParts } from './routes/call.ts';
import { parseQuery } from './routes/query.ts';
import { isStaticPath } from './site.ts';
import type { SiteEntry } from './sites.ts';
import { parseTarget, type Target } from './target.ts';
import type { Lease } from './types.ts';

export interface RequestHandling {
  readonly parts: HttpParts;
  readonly metrics: Metrics;
  readonly inFlight: InFlight;
  readonly sites: (generation: Lease['generation']) => SiteEntry;
}

/** A request from its arrival to its end. */
interface Arrival extends Progress {
  readonly id: string;
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly lease: Lease;
  readonly entry: SiteEntry;
  readonly startedAt: number;
  /** Aborted when the visitor leaves before the answer is complete. */
  readonly left: AbortController;
  info: RequestInfo | null;
  error: unknown;
}

/**
 * Makes what answers a request:
 *
 * ```
 * kept page? ──yes──▶ answered, in front of everything
 *     │ no
 *   gate ──full──▶ 503          static file ──▶ served
 *     │                              │ none
 *   visit (session, identity, facts, address) ──▶ Express ──▶ dispatch ──▶ route
 * ```
 */
export function createRequestHandler(handling: RequestHandling): (req: IncomingMessage, res: ServerResponse) => void {
  const { parts, sites } = handling;
  const { kernel } = parts;
  const shell = createShell(parts);
  const newId = createRequestIds();
  return (req, res) => {
    let lease: Lease;
    try {
      lease = kernel.lease();
    } catch (error) {
      void sendError({ parts, req, res, reference: newId(), info: null, style: styleOf(req) }, error);
      return;
    }
    const entry = sites(lease.generation);
    if (answerKept(req, res, parts, entry)) {
      lease.release();
      return;
    }
    const arrival = arrive(newId(), req, res, lease, entry);
    void serve(handling, shell, arrival);
  };
}

/** A kept page for a visitor without a session, if there is one: in this tick, and without anything a page needs that is made. */
function answerKept(
  req: IncomingMessage,
  res: ServerResponse,
  { kernel }: HttpParts,
  { site, locator }: SiteEntry,
): boolean {
  if (req.method !== 'GET' && req.method !== 'HEAD') return false;
  const state = site.peek();
  const host = state && kernel.guards.resolveHost(req, state.hosts);
  return host !== null && kernel.pageCache.answer(req, res, host, locator);
}

function arrive(id: string, req: IncomingMessage, res: ServerResponse, lease: Lease, entry: SiteEntry): Arrival {
  const startedAt = performance.now();
  const fresh = { match: null, rpcId: undefined, releases: [], ticket: noTicket, info: null, error: null };
  return { id, req, res, lease, entry, startedAt, left: new AbortController(), ...fresh };
}

/** The stay of whoever was not let in. */
const noTicket: Ticket = Object.freeze({
  called: () => {},
  outside: <T>(wait: () => Promise<T>) => wait(),
  leave: () => {},
  asRead: () => {},
});

/** Answers, whatever happens, and gives the generation back once the response is closed *and* the handler has settled. */
async function serve(handling: RequestHandling, shell: Shell, arrival: Arrival): Promise<void> {
  const { parts, inFlight } = handling;
  const { req, res, lease, left } = arrival;
  const closed = new Promise<void>((resolve) =>
    res.once('close', () => {
      if (!res.writableFinished) left.abort();
      resolve();
    }),
  );
  inFlight.add(req, res);
  // A connection that breaks while we write is no fault of ours: `close` follows.
  res.on('error', () => {});
  try {
    arrival.ticket = parts.loadShedder.enter(req.method === 'POST' ? 'write' : 'read');
    await work(parts, shell, arrival);
  } catch (error) {
    await fail(parts, arrival, error);
  } finally {
    for (const release of arrival.releases) release();
    arrival.ticket.leave();
  }
  if (!res.closed) await closed;
  lease.release();
  report(handling, arrival);
}

async function work({ kernel }: HttpParts, shell: Shell, arrival: Arrival): Promise<void> {
  const { id, req, res, entry, lease, left } = arrival;
  const target = parseTarget(req);
  if (!target) throw new Malformed('The address of the request is not valid.', { code: 'core.bad_target' });
  const { site } = entry;
  const host = kernel.guards.resolveHost(req, (await site.state()).hosts);
  if (!host)
    throw new WrongHost('This address is not served here.', { code: 'core.unknown_host', title: 'Unknown site' });
  if (await isServedAsFile(kernel, lease, target, req, res)) return;
  const log = kernel.log.child({ request: id });
  const cookies = cookiesOf(req);
  const session = await kernel.sessions.load(cookies);
  const ip = kernel.guards.clientAddress(req);
  const about = {
    id,
    req,
    method: req.method ?? 'GET',
    target,
    host: host satisfies Host,
    ip,
    site,
    log,
    cookies,
    session,
    bounds: { statementMs: kernel.config.readMs, signal: left.signal },
  };
  arrival.info = await makeRequestInfo(about);
  await shell(req, res, arrival.info, arrival);
}

async function isServedAsFile(
  kernel: HttpParts['kernel'],
  { generation }: Lease,
  { path, file }: Target,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<boolean> {
  if (!isStaticPath(path) || file === null || (req.method !== 'GET' && req.method !== 'HEAD')) return false;
  setHeaders(res, kernel.guards.securityHeaders('asset', generation));
  if (await generation.get(assets).serve(file, req, res)) return true;
  for (const name of res.getHeaderNames()) res.removeHeader(name);
  return false;
}

type Shell = (req: IncomingMessage, res: ServerResponse, info: RequestInfo, progress: Progress) => Promise<void>;

/** Express around dispatch: the place for middleware. It parses, signs and sends nothing by itself. */
function createShell(parts: HttpParts): Shell {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('trust proxy', false);
  app.set('query parser', (query: string) => parseQuery(query ?? ''));
  type Waiting = { info: RequestInfo; progress: Progress; resolve: () => void; reject: (error: unknown) => void };
  const waiting = new WeakMap<object, Waiting>();
  app.use((req, res) => {
    const { info, progress, resolve, reject } = waiting.get(req) as Waiting;
    dispatch(parts, info, res, progress).then(resolve, reject);
  });
  return (req, res, info, progress) =>
    new Promise((resolve, reject) => {
      waiting.set(req, { info, progress, resolve, reject });
      app(req as Parameters<typeof app>[0], res as Parameters<typeof app>[1], reject);
    });
}

async function fail(parts: HttpParts, arrival: Arrival, error: unknown): Promise<void> {
  const { req, res, id, info, match, rpcId, left } = arrival;
  const hasLeft = error instanceof Gone || (left.signal.aborted && error instanceof Unavailable);
  arrival.error = hasLeft ? new Gone('The visitor left.', { cause: error }) : error;
  if (hasLeft) {
    res.destroy();
    return;
  }
  try {
    await sendError({ parts, req, res, reference: id, info, style: styleFor(arrival), match, rpcId }, error);
  } catch (failed) {
    parts.kernel.log.error({ err: failed, request: id }, 'An error could not be answered');
    res.destroy();
  }
}

function styleFor({ req, match }: Arrival): ErrorStyle {
  const kind = match?.bound.route.kind;
  if (kind === 'rpc' || kind === 'json') return kind;
  const style = styleOf(req);
  if (kind === undefined) return style;
  if (kind === 'page' || kind === 'form') return style === 'json' ? 'json' : 'page';
  if (style !== 'page') return 'json';
  return (req.headers.accept ?? '').includes('text/html') ? 'page' : 'text';
}

/** One line in the log and one figure for each request. Routes are named, not paths: those hold tokens; and never a query. */
function report({ parts, metrics }: RequestHandling, arrival: Arrival): void {
  const { id, req, res, match, info, error, startedAt } = arrival;
  const ms = performance.now() - startedAt;
  const { addon = '', route } = match?.bound ?? {};
  const status = res.headersSent ? res.statusCode : 499;
  metrics.answered({ addon, kind: route?.kind ?? 'none', status, seconds: ms / 1000 });
  const about = {
    request: id,
    method: req.method,
    ...(route ? { route: route.path, kind: route.kind, addon } : { path: pathForLog(info, req) }),
    status,
    ms: Math.round(ms * 10) / 10,
    ip: info?.ip,
    user: info?.identity.id ?? undefined,
  };
  const { log } = parts.kernel;
  const failure = error === null || error instanceof Gone ? null : failureOf(error);
  if (failure?.ours) log.error({ ...about, err: error }, 'Request failed');
  else if (failure && failure.status >= 500) log.warn({ ...about, code: failure.code }, 'Request refused');
  else log.info(failure ? { ...about, code: failure.code } : about, 'Request');
}

/** A path no route knows, at most 200 characters, with nothing in it that could be more than a path. */
function pathForLog(info: RequestInfo | null, req: IncomingMessage): string {
  return (info?.target.path ?? (req.url ?? '').split('?')[0] ?? '').slice(0, 200).replace(/[^\x21-\x7e]/g, '?');
}
