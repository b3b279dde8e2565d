import type { RequestHandler } from 'express';
import { kindOf } from '../kinds/index.ts';
import { found } from '../request-state.ts';

/** Refuses what another site made a browser send, before anything of its body is read. Tokens of forms are checked with the body. */
export function crossSite(): RequestHandler {
  return function crossSite(req, _res, next) {
    const call = found(req.pergola.call);
    kindOf(call).checkOrigin(call);
    next();
  };
}
