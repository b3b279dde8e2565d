import type { RequestHandler } from 'express';
import { kindOf } from '../kinds/index.ts';
import { required } from '../request-state.ts';

/** Runs the route's handler and sends its reply. */
export function routeAnswers(): RequestHandler {
  return async function routeAnswers(req) {
    const call = required(req.pergola.call);
    await kindOf(call).answer(call);
    req.pergola.end();
  };
}
