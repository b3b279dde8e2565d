import type { RequestHandler } from 'express';
import { readDeclaredQuery } from '../kinds/kind.ts';
import { takeRates } from '../rate-limits/rates.ts';
import { required } from '../request-state.ts';

/** Reads query and body as the route declares them, within its limits, then applies the rate limits that depend on them. */
export function body(): RequestHandler {
  return async function body(req, _res, next) {
    const call = required(req.pergola.call);
    const { handling } = call.bound.route;
    call.read = await (handling.read ? handling.read(call) : readDeclaredQuery(call));
    if (!call.read.failure) await takeRates(call, 'after', call.read.counted);
    next();
  };
}
