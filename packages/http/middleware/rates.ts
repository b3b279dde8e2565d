import type { RequestHandler } from 'express';
import { takeRates } from '../rate-limits/rates.ts';
import { required } from '../request-state.ts';

/** Counts the request against rate limits of its route that don't depend on the body. */
export function rates(): RequestHandler {
  return async function rates(req, _res, next) {
    await takeRates(required(req.pergola.call), 'before');
    next();
  };
}
