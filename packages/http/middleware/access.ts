import type { RequestHandler } from 'express';
import { nothingBeside, sendReply } from '../replies/send-reply.ts';
import { found } from '../request-state.ts';
import { checkAccess } from '../routes/check-access.ts';

/**
 * Checks whether the caller may use the route. Visitors of pages are redirected to sign in; callers without the group get the same reply as
 * for a missing page.
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
