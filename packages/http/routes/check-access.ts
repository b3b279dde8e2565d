import { signInFirst } from '../replies/failure.ts';
import type { PlainReply } from '../replies/send-reply.ts';
import type { RequestInfo } from '../request-info.ts';
import { safePath } from '../security/safe-path.ts';
import type { Call } from './call.ts';
import { filledPath, pageNotFound } from './params.ts';
import { redirect } from './reply.ts';

/**
 * Redirect for visitors who have to sign in first, or null if the caller may use the route.
 *
 * @throws Unauthenticated for calls, NotFound without one of the route's groups
 */
export function checkAccess(call: Call): PlainReply | null {
  const { info, bound } = call;
  const { auth, handling } = bound.route;
  if (auth === 'user' && info.identity.id === null) {
    if (handling.forVisitors || wantsPage(info)) return signIn(call);
    throw signInFirst();
  }
  const groups = call.option<readonly string[]>('groups') ?? [];
  if (groups.length > 0 && !groups.some((group) => info.identity.groups.has(group))) throw pageNotFound();
  return null;
}

function wantsPage({ method, req }: RequestInfo): boolean {
  return method === 'GET' && (req.headers.accept ?? '').includes('text/html');
}

/** To the sign-in page, which leads back: to this page, or to the one a form was on. The form isn't sent again. */
function signIn(call: Call): PlainReply {
  const { method, target } = call.info;
  const currentPath = target.query === '' ? target.path : `${target.path}?${target.query}`;
  const back = method === 'POST' ? pageOfForm(call) : currentPath;
  return redirect(`/web/login?redirect=${encodeURIComponent(safePath(back))}`) as PlainReply;
}

/** Page that a form was sent from; if the browser doesn't say, the one that its route names. */
function pageOfForm(call: Call): string {
  const { info, match, parts } = call;
  const from = URL.parse(String(info.req.headers.referer ?? ''));
  if (from?.origin === info.host.origin) return from.pathname + from.search;
  // A page computed from form values is unknown here, because forms of anonymous visitors aren't read.
  const page = call.option('page');
  return typeof page === 'string' ? parts.renderer.localize(info, filledPath(page, match.params)) : '/';
}
