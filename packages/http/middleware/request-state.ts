import { withAccount } from '@pergola/core';
import type { Request, RequestHandler, Response } from 'express';
import { noTicket } from '../load-shedder.ts';
import { Gone } from '../malformed.ts';
import { failureOf } from '../replies/failure.ts';
import type { RequestState } from '../request-state.ts';
import type { HttpParts } from '../routes/call.ts';

/**
 * Starts a request: `req.pergola`. Its generation is released once the response is closed *and* the handler has settled, and then the
 * request is logged.
 */
export function requestState(parts: HttpParts): RequestHandler {
  return function requestState(req, res, next) {
    const lease = parts.application.lease();
    const { sessions, openAccount } = parts.application;
    const hasSession = req.headers.cookie?.includes(`${sessions.cookieName}=`);
    const account = openAccount(hasSession ? 'session' : 'visitor');
    const disconnected = new AbortController();
    const ended = Promise.withResolvers<void>();
    const closed = new Promise<void>((resolve) =>
      res.once('close', () => {
        if (!res.writableFinished) disconnected.abort();
        resolve();
      }),
    );
    parts.inFlight.add(req, res);
    // A connection that breaks during a write isn't our fault; `close` follows.
    res.on('error', () => {});
    req.pergola = {
      id: parts.newId(),
      startedAt: performance.now(),
      lease,
      entry: parts.sites(lease.generation),
      account,
      disconnected,
      releases: [],
      ticket: noTicket,
      target: null,
      host: null,
      cookies: {},
      session: null,
      info: null,
      match: null,
      call: null,
      rpcId: undefined,
      error: null,
      end: ended.resolve,
    };
    void finish(parts, req, res, { ended: ended.promise, closed });
    if (account) withAccount(account, next);
    else next();
  };
}

async function finish(
  parts: HttpParts,
  req: Request,
  res: Response,
  { ended, closed }: { ended: Promise<void>; closed: Promise<void> },
): Promise<void> {
  const { pergola: state } = req;
  await ended;
  closeAccount(state, res.statusCode);
  for (const release of state.releases) release();
  state.ticket.leave();
  if (!res.closed) await closed;
  state.lease.release();
  report(parts, req, res, state);
}

/** Charges the request to its route, or to the address of a page without one. Paths without a page count together: there may be any number. */
function closeAccount({ account, match, error, info }: RequestState, status: number): void {
  if (error !== null && failureOf(error).isInternal && !(error instanceof Gone)) account?.failed(error);
  // Without the patterns of parameters: `/sitemap-:file(^\d{1,5}).xml`
  const path = match?.bound.route.path.replaceAll(/\(.*?\)/g, '');
  const method = info?.method === 'POST' ? 'POST ' : '';
  const page = path ?? (status === 200 ? info?.address.path : '*');
  account?.close(info && page !== undefined ? method + page : null);
}

/** One log entry and one metric per request. Logs the route's name instead of the path, which may contain tokens, and never the query. */
function report({ application, metrics }: HttpParts, req: Request, res: Response, state: RequestState): void {
  const { id, match, info, error, startedAt } = state;
  const ms = performance.now() - startedAt;
  const { addon = '', route } = match?.bound ?? {};
  const status = res.headersSent ? res.statusCode : 499;
  metrics.answered({ addon, kind: route?.kind ?? 'none', status, seconds: ms / 1000 });
  const fields = {
    request: id,
    method: req.method,
    ...(route ? { route: route.path, kind: route.kind, addon } : { path: pathForLog(state, req) }),
    status,
    ms: Math.round(ms * 10) / 10,
    ip: info?.ip,
    user: info?.identity.id ?? undefined,
  };
  const { log } = application;
  const failure = error === null || error instanceof Gone ? null : failureOf(error);
  if (failure?.isInternal) log.error({ ...fields, err: error }, 'Request failed');
  else if (failure && failure.status >= 500)
    log.warn({ ...fields, code: failure.code, reason: reasonOf(error) }, 'Request refused');
  else log.info(failure ? { ...fields, code: failure.code } : fields, 'Request');
}

/** Reason why the site couldn't respond, in the words of the failing part (“disk full”). */
function reasonOf(error: unknown): string | undefined {
  return Error.isError(error) && Error.isError(error.cause) ? error.cause.message : undefined;
}

/** A path without a route, at most 200 characters, without anything that might not belong to a path. */
function pathForLog({ info }: RequestState, req: Request): string {
  return (info?.target.path ?? (req.url ?? '').split('?')[0] ?? '').slice(0, 200).replace(/[^\x21-\x7e]/g, '?');
}
