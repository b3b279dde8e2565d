import type { ServerResponse } from 'node:http';
import { NotFound } from '../base/errors.ts';
import { answerForm } from './kinds/form.ts';
import { answerHttp } from './kinds/http.ts';
import { answerJson } from './kinds/json.ts';
import { answerPage, answerWithPage, type MakeReply } from './kinds/page.ts';
import { answerRpc, idOfRefused } from './kinds/rpc.ts';
import type { Ticket } from './load-shedder.ts';
import { WrongMethod } from './malformed.ts';
import { routes } from './points.ts';
import { NO_SUCH_ROUTE, signInFirst } from './replies/failure.ts';
import { nothingBeside, type PlainReply, sendReply } from './replies/send-reply.ts';
import type { RequestInfo } from './request-info.ts';
import { Call, type HttpParts, renderReply } from './routes/call.ts';
import { notThere } from './routes/params.ts';
import { redirect } from './routes/route.ts';
import type { RouteMatch } from './routes/route-table.ts';
import { safePath } from './security/safe-path.ts';

/** What dispatch tells of the request while it works, for logs, metrics and the answer of an error. */
export interface Progress {
  match: RouteMatch | null;
  rpcId: unknown;
  /** The request's stay behind the gate. */
  ticket: Ticket;
  /** Gives back what the request held; called when it is over. */
  readonly releases: (() => void)[];
}

/** The methods there are; everything else is refused without a look at the path. */
const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST']);

/** Routes a visit and answers it. What it throws has not been answered yet. */
export async function dispatch(
  parts: HttpParts,
  info: RequestInfo,
  res: ServerResponse,
  progress: Progress,
): Promise<void> {
  const { method, address, site, target } = info;
  const reads = method === 'GET' || method === 'HEAD';
  if (!methods.has(method)) throw wrongMethod(allowedAt(info));
  const early = earlyRedirect(info);
  if (early !== null && reads) {
    // The log names what it leads to: a path may hold a token.
    progress.match = site.generation.get(routes).match(method, address.path.replace(/(?<=.)\/+$/, ''));
    return sendReply({ parts, info, res, ticket: progress.ticket }, early, nothingBeside);
  }
  const match = site.generation.get(routes).match(method, address.path);
  progress.match = match;
  if (match) progress.ticket.called(match.bound.route.name);
  if (match) return answer(new Call(parts, info, match, res, progress.ticket), progress);
  const allowed = site.generation.get(routes).methodsAt(address.path);
  if (allowed.length > 0) throw wrongMethod(allowed);
  if (reads && !target.path.includes('//') && (await answerByFallback(parts, info, res, progress.ticket))) return;
  throw new NotFound('There is no such page.', { code: NO_SUCH_ROUTE });
}

async function answer(call: Call, progress: Progress): Promise<void> {
  // A POST was let in as if it were an order; one that only reads has to wait like a page.
  if (call.info.method === 'POST' && !call.bound.route.writes) call.ticket.asRead();
  progress.releases.push(() => {
    for (const release of call.releases) release();
  });
  try {
    await answerByKind(call, progress);
  } catch (error) {
    if (call.bound.route.kind === 'rpc') progress.rpcId ??= await idOfRefused(call);
    throw error;
  }
}

async function answerByKind(call: Call, progress: Progress): Promise<void> {
  const turnedAway = checkAccess(call);
  if (turnedAway) return sendReply(call, turnedAway, nothingBeside);
  switch (call.bound.route.kind) {
    case 'page':
      return answerPage(call);
    case 'form':
      return answerForm(call);
    case 'json':
      return answerJson(call);
    case 'http':
      return answerHttp(call);
    case 'rpc':
      return answerRpc(call, (id) => {
        progress.rpcId = id;
      });
  }
}

/** Where the address, or a slash too much, sends the visitor before anything is routed. */
function earlyRedirect({ address, target }: RequestInfo): PlainReply | null {
  if (address.redirect) return redirect(address.redirect.to, address.redirect.status) as PlainReply;
  if (!address.path.endsWith('/') || address.path === '/' || target.path.includes('//')) return null;
  const query = target.query === '' ? '' : `?${target.query}`;
  return redirect(target.path.slice(0, -1) + query, 301) as PlainReply;
}

/**
 * Whether the caller may call the route at all. Visitors of pages are sent to sign in; whoever lacks the group gets the answer of a page that is
 * not there.
 *
 * @throws Unauthenticated, NotFound
 */
function checkAccess(call: Call): PlainReply | null {
  const { info, bound } = call;
  const { auth, kind } = bound.route;
  if (auth === 'user' && info.identity.id === null) {
    if (kind === 'page' || kind === 'form' || wantsPage(info)) return signIn(info);
    throw signInFirst();
  }
  const groups = call.option<readonly string[]>('groups') ?? [];
  if (groups.length > 0 && !groups.some((group) => info.identity.groups.has(group))) throw notThere();
  return null;
}

function wantsPage({ method, req }: RequestInfo): boolean {
  return method === 'GET' && (req.headers.accept ?? '').includes('text/html');
}

/** To the sign-in page, which leads back: to this page, or to the one a form was on. */
function signIn(info: RequestInfo): PlainReply {
  const { method, target, req, host } = info;
  const here = target.query === '' ? target.path : `${target.path}?${target.query}`;
  const from = URL.parse(String(req.headers.referer ?? ''));
  const back = method !== 'POST' ? here : from?.origin === host.origin ? from.pathname + from.search : '/';
  return redirect(`/web/login?redirect=${encodeURIComponent(safePath(back))}`) as PlainReply;
}

async function answerByFallback(
  parts: HttpParts,
  info: RequestInfo,
  res: ServerResponse,
  ticket: Ticket,
): Promise<boolean> {
  const { fallbacks } = info.site;
  if (fallbacks.length === 0) return false;
  const make: MakeReply = async (ctx, effects, tracker) => {
    const url = (path: string): string => parts.renderer.localize(info, path);
    const input = { ctx, params: {}, query: {}, request: effects.view(tracker), render: renderReply, url };
    for (const { handler } of fallbacks) {
      const reply = await handler(input);
      if (reply) return reply;
    }
    return null;
  };
  return answerWithPage({ parts, info, res, ticket, match: null }, make);
}

function wrongMethod(allow: readonly string[]): WrongMethod {
  return new WrongMethod('This address does not take this kind of request.', { code: 'core.wrong_method', allow });
}

function allowedAt({ site, address }: RequestInfo): readonly string[] {
  const allowed = site.generation.get(routes).methodsAt(address.path);
  return allowed.length > 0 ? allowed : ['GET', 'HEAD'];
}
