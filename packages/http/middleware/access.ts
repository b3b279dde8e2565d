import type { RequestHandler } from 'express';
import { nothingBeside, sendReply } from '../replies/send-reply.ts';
import { found } from '../request-state.ts';
import { checkAccess } from '../routes/check-access.ts';

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
