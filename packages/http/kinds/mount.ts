import { IncomingMessage } from 'node:http';
import type { Ctx } from '@pergola/core';
import { NotFound, PergolaError, Unavailable } from '@pergola/core';
import { RolledBack } from '@pergola/db';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { hasBody, receiveBytes } from '../bodies/receive.ts';
import { Gone } from '../malformed.ts';
import { NO_SUCH_ROUTE } from '../replies/failure.ts';
import { HeldReply } from '../replies/held-reply.ts';
import { addCookies, addressCookies } from '../replies/send-reply.ts';
import { contextOptions } from '../request-info.ts';
import { Attempts } from '../routes/attempts.ts';
import type { Call } from '../routes/call.ts';
import type { RouteDefinition } from '../routes/route.ts';
import { READING } from '../routes/route-table.ts';
import { boundsOf } from './bounds.ts';
import type { Kind } from './kind.ts';

/** Express handlers and routers, with `req.ctx`. */
export const mount: Kind = {
  name: 'mount',
  methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
  servesBelow: true,
  faults: ({ path }) =>
    /^(\/[\w.-]+)+$/.test(path)
      ? []
      : [['has a path with parameters, and a mounted handler reads its own.', 'Write the path out: `/graphql`.']],
  /** Reads the body within the limits first, so that a slow connection doesn't hold a transaction; the handler reads it from memory. */
  async read(call) {
    const { req } = call.info;
    return { extras: { req: hasBody(req) ? again(req, await receiveBytes(req, call.res, boundsOf(call))) : req } };
  },
  async answer(call) {
    const { parts, info, bound, res } = call;
    const writes = bound.route.writes && !READING.has(info.method);
    const attempts = new Attempts(info);
    const reply = new HeldReply(res, (type) => headersOf(call, type));
    const work = once(async (ctx: Ctx) => {
      await bound.run({ ctx, request: attempts.effects.view(), serve: () => serve(call, ctx, reply) });
      if (writes && res.statusCode >= 400) throw new RolledBack();
    });
    const options = contextOptions(info, { session: attempts.session, label: bound.route.name });
    let isKept = true;
    try {
      await (writes ? parts.application.write(options, work) : parts.application.read(options, work));
    } catch (error) {
      isKept = false;
      if (!(error instanceof RolledBack)) {
        reply.discard();
        throw asRefusal(error);
      }
    }
    const cookies = isKept ? await attempts.finish(parts.application, writes) : [];
    if (!res.headersSent) addCookies(res, [...addressCookies(info), ...cookies]);
    reply.send();
  },
};

/** Runs the handler until its reply is complete. */
function serve(call: Call, ctx: Ctx, reply: HeldReply): Promise<void> {
  const { info, bound, res } = call;
  const req = call.read.extras.req as Request;
  req.ctx = ctx;
  req.url = info.address.path + (info.target.query === '' ? '' : `?${info.target.query}`);
  return new Promise((resolve, reject) => {
    reply.whenEnded(resolve);
    res.once('close', () => reject(new Gone('The visitor left.')));
    routerOf(bound.route)(req, res as Response, (error?: unknown) =>
      reject(error ?? new NotFound('We can’t find that page.', { code: NO_SUCH_ROUTE })),
    );
  });
}

const routers = new WeakMap<RouteDefinition, Router>();

function routerOf(route: RouteDefinition): Router {
  const cachedRouter = routers.get(route);
  if (cachedRouter) return cachedRouter;
  const router = Router({ caseSensitive: true });
  router.use(route.path, ...(route.options.handlers as RequestHandler[]));
  routers.set(route, router);
  return router;
}

/** A transaction that lost a conflict is retried; but the request has been read, and possibly part of the reply sent. */
function once(work: (ctx: Ctx) => Promise<void>): (ctx: Ctx) => Promise<void> {
  let isDone = false;
  return async (ctx) => {
    if (isDone) {
      throw new Unavailable('Someone else changed this at the same time. Try again.', {
        code: 'core.mount_conflict',
        retryAfter: 1,
      });
    }
    isDone = true;
    await work(ctx);
  };
}

/** The request with its body unread. */
function again(req: IncomingMessage, body: Buffer): IncomingMessage {
  const copy = new IncomingMessage(req.socket);
  Object.setPrototypeOf(copy, Object.getPrototypeOf(req));
  const {
    method,
    url,
    httpVersion,
    httpVersionMajor,
    httpVersionMinor,
    rawHeaders,
    headers,
    pergola,
    res,
    originalUrl,
  } = req as Request;
  Object.assign(copy, { method, url, httpVersion, httpVersionMajor, httpVersionMinor, rawHeaders, headers });
  Object.assign(copy, { pergola, res, originalUrl, baseUrl: '', complete: true });
  copy.push(body);
  copy.push(null);
  return copy;
}

/** Packages report invalid requests by `status` (http-errors); passes the status and its text on to the client. */
function asRefusal(error: unknown): unknown {
  if (!Error.isError(error) || error instanceof PergolaError || error instanceof Gone) return error;
  const { status } = error as { status?: unknown };
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 400 || status > 499) return error;
  return new Refusal(error.message, status, error);
}

class Refusal extends PergolaError {
  override readonly status: number;

  constructor(message: string, status: number, cause: Error) {
    super(message.replace(/[{}]/g, ''), { code: 'core.refused', cause });
    this.status = status;
  }
}

/** Headers shared with all other replies. Replies made with a session are never cached. */
function headersOf({ parts, info }: Call, type: string): Readonly<Record<string, string>> {
  const kind = type.startsWith('text/html') ? 'page' : 'data';
  return {
    ...parts.application.guards.securityHeaders(kind, info.site.generation),
    ...(info.session.exists ? { 'cache-control': 'no-store' } : {}),
    vary: 'Cookie',
  };
}
