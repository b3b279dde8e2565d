import type { RequestHandler } from 'express';
import { takeRates } from '../rate-limits/rates.ts';
import { found } from '../request-state.ts';

/** Counts the request against those limits of its route that need no look at its body. */
export function rates(): RequestHandler {
  return async function rates(req, _res, next) {
    await takeRates(found(req.pergola.call), 'before');
    next();
  };
}
