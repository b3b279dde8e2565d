import { signInFirst } from '../replies/failure.ts';
import type { PlainReply } from '../replies/send-reply.ts';
import type { RequestInfo } from '../request-info.ts';
import { safePath } from '../security/safe-path.ts';
import type { Call } from './call.ts';
import { pageNotFound } from './params.ts';
import { redirect } from './route.ts';

/**
 * Redirect for visitors who have to sign in first, or null if the caller may use the route.
 *
 * @throws Unauthenticated for calls, NotFound without one of the route's groups
 */
export function checkAccess(call: Call): PlainReply | null {
  const { info, bound } = call;
  const { auth, kind } = bound.route;
  if (auth === 'user' && info.identity.id === null) {
    if (kind === 'page' || kind === 'form' || wantsPage(info)) return signIn(info);
    throw signInFirst();
  }
  const groups = call.option<readonly string[]>('groups') ?? [];
  if (groups.length > 0 && !groups.some((group) => info.identity.groups.has(group))) throw pageNotFound();
  return null;
}

function wantsPage({ method, req }: RequestInfo): boolean {
  return method === 'GET' && (req.headers.accept ?? '').includes('text/html');
}

/** Redirects to the sign-in page, which leads back to this page, or to the page of a form. */
function signIn(info: RequestInfo): PlainReply {
  const { method, target, req, host } = info;
  const currentPath = target.query === '' ? target.path : `${target.path}?${target.query}`;
  const from = URL.parse(String(req.headers.referer ?? ''));
  const back = method !== 'POST' ? currentPath : from?.origin === host.origin ? from.pathname + from.search : '/';
  return redirect(`/web/login?redirect=${encodeURIComponent(safePath(back))}`) as PlainReply;
}
