import type { RequestHandler } from 'express';
import { makeRequestInfo } from '../request-info.ts';
import { required } from '../request-state.ts';
import type { HttpParts } from '../routes/call.ts';

/** Determines identity, request attributes (website, pricelist …), language, and the path to route. */
export function site({ application }: HttpParts): RequestHandler {
  return async function site(req, _res, next) {
    const { pergola: state } = req;
    state.info = await makeRequestInfo({
      id: state.id,
      req,
      method: req.method,
      target: required(state.target),
      host: required(state.host),
      ip: application.guards.clientAddress(req),
      site: state.entry.site,
      log: application.log.child({ request: state.id }),
      cookies: state.cookies,
      session: required(state.session),
      bounds: { statementMs: application.config.readMs, signal: state.disconnected.signal },
    });
    next();
  };
}
