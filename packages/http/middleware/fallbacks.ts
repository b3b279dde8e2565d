import { breakers, routeOff } from '@pergola/cluster';
import { NotFound } from '@pergola/core';
import type { Request, RequestHandler, Response } from 'express';
import { answerWithPage, askFallbacks } from '../kinds/page.ts';
import { NO_SUCH_ROUTE } from '../replies/failure.ts';
import { required } from '../request-state.ts';
import type { HttpParts } from '../routes/call.ts';
import { guardedCall } from '../routes/guarded.ts';

/** Handles paths without a route: pages at custom addresses, files by address; otherwise 404. */
export function fallbacks(parts: HttpParts): RequestHandler {
  return async function fallbacks(req, res, next) {
    if (req.pergola.call) return next();
    if (!(await isAnswered(parts, req, res))) throw new NotFound('We can’t find that page.', { code: NO_SUCH_ROUTE });
    req.pergola.end();
  };
}

async function isAnswered(parts: HttpParts, req: Request, res: Response): Promise<boolean> {
  const { ticket, ...state } = req.pergola;
  const info = required(state.info);
  const { fallbacks } = info.site;
  if (req.method === 'POST' || fallbacks.length === 0 || info.target.path.startsWith('//')) return false;
  const call = { parts, info, res, ticket, match: null };
  const { generation } = info.site;
  const owner = generation.addons.find(({ definition }) => definition.fallbacks);
  const part = { addon: owner?.name ?? '', kind: 'route', name: 'fallbacks' } as const;
  const guard = generation.get(breakers);
  return guard.guard(
    part,
    guardedCall(info),
    () => answerWithPage(call, askFallbacks(call)),
    (error) => {
      throw error ?? routeOff(guard.retryAt(part));
    },
  );
}
