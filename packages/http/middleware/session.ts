import type { RequestHandler } from 'express';
import { cookiesOf } from '../request-info.ts';
import type { HttpParts } from '../routes/call.ts';

/** Finds the visitor's session; an empty one where there is none. */
export function session({ application }: HttpParts): RequestHandler {
  return async function session(req, _res, next) {
    const { pergola: state } = req;
    state.cookies = cookiesOf(req);
    state.session = await application.sessions.load(state.cookies);
    next();
  };
}
