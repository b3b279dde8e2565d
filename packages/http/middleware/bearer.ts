import type { Ctx } from '@pergola/core';
import { noSession, Unauthenticated } from '@pergola/core';
import type { RequestHandler } from 'express';
import { bearerIdentity } from '../bearer.ts';
import { contextOptions, type RequestInfo } from '../request-info.ts';
import { required } from '../request-state.ts';
import { Call, type HttpParts } from '../routes/call.ts';

/**
 * On routes with `bearer: true`, `Authorization: Bearer …` determines the caller, and a session cookie is ignored. All other routes ignore
 * the header.
 */
export function bearer({ application }: HttpParts): RequestHandler {
  return async function bearer(req, res, next) {
    const { pergola: state } = req;
    const call = state.call;
    const token = /^Bearer +(\S+)$/i.exec(req.headers.authorization ?? '')?.[1];
    if (!call?.option('bearer') || token === undefined) return next();
    const { info } = call;
    const work = (ctx: Ctx) => bearerIdentity(ctx, token, info.ip);
    const options = contextOptions(info, { session: noSession, label: `${call.bound.route.name} (bearer)` });
    const identity = await application.read(options, work);
    if (!identity)
      throw new Unauthenticated('This access token isn’t valid. It may be wrong, expired or revoked.', {
        code: 'core.bad_token',
        title: 'Access denied',
      });
    const tokenInfo: RequestInfo = {
      ...info,
      identity,
      session: await application.sessions.load({}),
      address: identity.lang ? { ...info.address, lang: identity.lang } : info.address,
      timezone: identity.timezone ?? info.timezone,
      bounds: { ...info.bounds, whose: `user ${identity.id}` },
    };
    state.info = tokenInfo;
    state.call = new Call(call.parts, tokenInfo, required(state.match), res, state);
    next();
  };
}
