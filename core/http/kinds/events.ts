import type { Tracker } from '../../context/index.ts';
import { contextOptions } from '../request-info.ts';
import { Attempts } from '../routes/attempts.ts';
import { type Call, inputOf } from '../routes/call.ts';
import { networkOf } from '../security/hosts-address.ts';
import { noSession } from '../site.ts';
import { type Kind, readDeclaredQuery } from './kind.ts';

/** GETs that stay open: what the handler answers is sent, and again when it has changed. */
export const events: Kind = {
  checkOrigin: () => {},
  read: readDeclaredQuery,
  async answer(call) {
    const { parts, info, res, ticket } = call;
    const { generation } = info.site;
    const { origin } = info.host;
    // How long it lasts is the visitor's matter.
    await ticket.outside(() =>
      parts.streams.serve({
        key: JSON.stringify([generation.number, origin, info.address.path, call.read.extras.query]),
        generation,
        network: networkOf(info.ip),
        res,
        headers: parts.application.guards.securityHeaders('data', generation) as Record<string, string>,
        read: (tracker) => readAsAnybody(call, tracker),
      }),
    );
  },
};

/** As somebody who is not signed in, whoever asks: all of them are told the same. */
async function readAsAnybody(call: Call, tracker: Tracker): Promise<unknown> {
  const { parts, info, bound, read } = call;
  const { anonymous } = await info.site.state();
  const attempts = new Attempts(info);
  const about = contextOptions(info, { session: noSession, label: bound.route.name });
  // Whoever asked first may have left, and the others go on listening.
  const bounds = { statementMs: parts.application.config.readMs, whose: 'event streams' };
  return parts.application.read({ ...about, identity: anonymous, tracker, bounds }, async (ctx) =>
    bound.run({ ...(await inputOf(call, ctx, attempts.begin(), tracker)), ...read.extras }),
  );
}
