import type { RequestHandler } from 'express';
import { signInFirst } from '../replies/failure.ts';
import { nothingBeside, type PlainReply, sendReply } from '../replies/send-reply.ts';
import type { RequestInfo } from '../request-info.ts';
import { found } from '../request-state.ts';
import type { Call } from '../routes/call.ts';
import { notThere } from '../routes/params.ts';
import { redirect } from '../routes/route.ts';
import { safePath } from '../security/safe-path.ts';

/**
 * Lets those go on who may call the route at all. Visitors of pages are sent to sign in; whoever lacks the group gets the answer of a page that is not
 * there.
 */
export function access(): RequestHandler {
  return async function access(req, _res, next) {
    const call = found(req.pergola.call);
    const turnedAway = checkAccess(call);
    if (!turnedAway) return next();
    await sendReply(call, turnedAway, nothingBeside);
    req.pergola.end();
  };
}

/** @throws Unauthenticated, NotFound */
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
