import { noSession } from '@pergola/core';
import { contextOptions } from '../request-info.ts';
import type { Call } from '../routes/call.ts';
import { HandlerEffects } from '../routes/handler-effects.ts';
import type { RateLimit } from '../routes/route.ts';
import { networkOf } from '../security/hosts-address.ts';
import { tooMany } from './rate-limiter.ts';

/**
 * Limit for scripted calls across all routes, per user, or per network if not signed in. Enough for a busy screen or an import, too little
 * to monopolise a server.
 */
export const callRate: RateLimit = { name: 'core.calls', calls: 3_000, seconds: 60, by: 'user', here: true };

/**
 * Counts the call against the route's rate limits: limits by address or user before its body is read, limits by a function of the body
 * afterwards. JSON-RPC calls also share a common limit.
 *
 * @throws TooMany
 */
export async function takeRates(call: Call, phase: 'before' | 'after', body: unknown = undefined): Promise<void> {
  const declared = call.option<RateLimit | readonly RateLimit[]>('rate') ?? [];
  const rates = Array.isArray(declared) ? (declared as readonly RateLimit[]) : [declared as RateLimit];
  const { rate: commonRate } = call.bound.route.handling;
  for (const rate of commonRate ? [commonRate, ...rates] : rates) {
    if ((typeof rate.by === 'function') !== (phase === 'after')) continue;
    const { calls, seconds, here: isLocal, name = call.bound.route.name } = rate;
    const verdict = await call.parts.application.limiter.tryTake({
      name,
      key: await keyOf(call, rate, body),
      calls,
      seconds,
      here: isLocal,
    });
    if (!verdict.ok) throw tooMany(verdict.retryAfter);
  }
}

async function keyOf(call: Call, { by: keyBy = 'ip' }: RateLimit, body: unknown): Promise<string> {
  const { info } = call;
  const network = networkOf(info.ip);
  if (keyBy === 'ip') return network;
  if (keyBy === 'user') return info.identity.id === null ? network : `user ${info.identity.id}`;
  const request = new HandlerEffects(info).view();
  return call.parts.application.read(contextOptions(info, { session: noSession, label: 'rate' }), async (ctx) =>
    keyBy({ ctx, request, body }),
  );
}
