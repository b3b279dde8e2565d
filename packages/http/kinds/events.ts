import type { Tracker } from '@pergola/core';
import { noSession } from '@pergola/core';
import { signInFirst } from '../replies/failure.ts';
import { contextOptions } from '../request-info.ts';
import { Attempts } from '../routes/attempts.ts';
import { type Call, inputOf } from '../routes/call.ts';
import { networkOf } from '../security/hosts-address.ts';
import type { Kind } from './kind.ts';

/** GETs that stay open: the handler's result is sent, and sent again when it changes. */
export const events: Kind = {
  name: 'events',
  methods: ['GET'],
  isStream: true,
  async answer(call) {
    const { parts, info, res, ticket, bound } = call;
    const { generation } = info.site;
    const { origin } = info.host;
    const { identity, session, address } = info;
    const listener = bound.route.auth === 'user' ? [identity.id, session.draft().number] : null;
    // The duration is up to the visitor.
    await ticket.outside(() =>
      parts.streams.serve({
        key: JSON.stringify([generation.number, origin, address.path, address.lang, call.read.extras.query, listener]),
        generation,
        network: networkOf(info.ip),
        res,
        headers: parts.application.guards.securityHeaders('data', generation) as Record<string, string>,
        read: (tracker) => readForStream(call, tracker),
      }),
    );
  },
};

/** Reads as the signed-in user if the route is for users; otherwise as an anonymous visitor, so that all listeners get the same value. */
async function readForStream(call: Call, tracker: Tracker): Promise<unknown> {
  const { parts, info, bound, read } = call;
  const identity = bound.route.auth === 'user' ? await signedIn(call) : (await info.site.state()).anonymous;
  const attempts = new Attempts(info);
  const options = contextOptions(info, { session: noSession, label: bound.route.name });
  // The first listener may have left while others are still listening.
  const bounds = { statementMs: parts.application.config.readMs, whose: 'event streams' };
  return parts.application.read({ ...options, identity, tracker, bounds }, async (ctx) =>
    bound.run({ ...(await inputOf(call, ctx, attempts.begin(), tracker)), ...read.extras }),
  );
}

/**
 * Current identity of the listener: the connection may outlast their session.
 *
 * @throws Unauthenticated
 */
async function signedIn({ parts, info }: Call) {
  const { userId } = await parts.application.sessions.load(info.cookies);
  if (userId === null || userId !== info.identity.id) throw signInFirst();
  const identity = await info.site.identity(userId);
  if (identity.id === null) throw signInFirst();
  return identity;
}
