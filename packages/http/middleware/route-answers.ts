import type { RequestHandler } from 'express';
import { runAndSend } from '../kinds/finish.ts';
import { required } from '../request-state.ts';

/** Runs the route's handler and sends its reply. */
export function routeAnswers(): RequestHandler {
  return async function routeAnswers(req) {
    const call = required(req.pergola.call);
    const { handling } = call.bound.route;
    await (handling.answer ? handling.answer(call) : runAndSend(call));
    req.pergola.end();
  };
}
