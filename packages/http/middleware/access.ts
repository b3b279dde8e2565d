import type { RequestHandler } from 'express';
import { noExtras, sendReply } from '../replies/send-reply.ts';
import { required } from '../request-state.ts';
import { checkAccess } from '../routes/check-access.ts';

/**
 * Checks whether the caller may use the route. Visitors of pages are redirected to sign in; callers without the group get the same reply as
 * for a missing page.
 */
export function access(): RequestHandler {
  return async function access(req, _res, next) {
    const call = required(req.pergola.call);
    const redirection = checkAccess(call);
    if (!redirection) return next();
    await sendReply(call, redirection, noExtras);
    req.pergola.end();
  };
}
