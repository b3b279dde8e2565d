import type { RequestHandler } from 'express';
import { checkOrigin } from '../kinds/kind.ts';
import { required } from '../request-state.ts';

/** Rejects cross-site requests before any of the body is read. Form tokens are checked with the body. */
export function crossSite(): RequestHandler {
  return function crossSite(req, _res, next) {
    const call = required(req.pergola.call);
    const { handling } = call.bound.route;
    if (handling.checkOrigin) handling.checkOrigin(call);
    else checkOrigin(call);
    next();
  };
}
