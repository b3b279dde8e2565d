import { breakers, routeOff } from '@pergola/cluster';
import type { RequestHandler } from 'express';
import { runAndSend } from '../kinds/finish.ts';
import { required } from '../request-state.ts';
import { guardedCall } from '../routes/guarded.ts';

/** Runs the route's handler and sends its reply. */
export function routeAnswers(): RequestHandler {
  return async function routeAnswers(req) {
    const call = required(req.pergola.call);
    const { addon, route } = call.bound;
    const part = { addon, kind: 'route', name: route.name, declared: route } as const;
    const guard = call.info.site.generation.get(breakers);
    await guard.guard(
      part,
      guardedCall(call.info, call.read.counted),
      async () => (route.handling.answer ? route.handling.answer(call) : runAndSend(call)),
      (error) => {
        throw error ?? routeOff(guard.retryAt(part));
      },
    );
    req.pergola.end();
  };
}
