import type { RequestHandler } from 'express';
import { Malformed, WrongHost } from '../malformed.ts';
import type { HttpParts } from '../routes/call.ts';
import { parseTarget } from '../target.ts';

/** Parses the address and rejects hosts this site doesn't serve. */
export function hosts({ application }: HttpParts): RequestHandler {
  return async function hosts(req, _res, next) {
    const { pergola: state } = req;
    state.target = parseTarget(req.url ?? '');
    if (!state.target) throw notValid();
    state.host = application.guards.resolveHost(req, (await state.entry.site.state()).hosts);
    if (!state.host)
      throw new WrongHost('No site is served at this address.', { code: 'core.unknown_host', title: 'Unknown site' });
    next();
  };
}

export function notValid(): Malformed {
  return new Malformed('The request’s address isn’t valid.', { code: 'core.bad_target' });
}
