import type { RequestHandler } from 'express';
import { cookiesOf } from '../request-info.ts';
import type { HttpParts } from '../routes/call.ts';

/** Loads the visitor's session, or an empty one. */
export function session({ application }: HttpParts): RequestHandler {
  return async function session(req, _res, next) {
    const { pergola: state } = req;
    state.cookies = cookiesOf(req);
    state.session = await application.sessions.load(state.cookies);
    next();
  };
}
