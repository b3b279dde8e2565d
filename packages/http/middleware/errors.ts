import { PergolaError, Unavailable } from '@pergola/core';
import { diskFull, isDiskFull, isOutOfMemory, outOfMemory } from '@pergola/db';
import type { ErrorRequestHandler, Request, Response } from 'express';
import { idOfRefused, idOfUnknown } from '../kinds/rpc.ts';
import { Gone } from '../malformed.ts';
import { type ErrorStyle, sendError, styleOf } from '../replies/error-reply.ts';
import type { RequestState } from '../request-state.ts';
import type { HttpParts } from '../routes/call.ts';

/** Sends the reply for an error: with its text if it was raised on purpose, with a reference if it is an internal fault. */
export function errors(parts: HttpParts): ErrorRequestHandler {
  return async function errors(reported: unknown, req: Request, res: Response, _next) {
    const error = shortage(reported) ?? reported;
    // Missing before its middleware has run, as when no generation serves yet.
    const state = req.pergola as RequestState | undefined;
    if (state) {
      await fail(parts, state, req, res, error);
      state.end();
    } else await sendError({ parts, req, res, reference: parts.newId(), info: null, style: styleOf(req) }, error);
  };
}

/** Error for a full disk or lack of memory that caused this one, or null. */
function shortage(error: unknown): Unavailable | null {
  if (isDiskFull(error)) return diskFull(error);
  return !(error instanceof PergolaError) && isOutOfMemory(error) ? outOfMemory(error) : null;
}

async function fail(parts: HttpParts, state: RequestState, req: Request, res: Response, error: unknown): Promise<void> {
  const { id, match, disconnected, call } = state;
  if (call?.bound.route.handling.errors === 'rpc') state.rpcId ??= await idOfRefused(call);
  else if (!match && styleOf(req) === 'rpc') state.rpcId ??= await idOfUnknown(parts, state, req, res);
  const hasLeft = error instanceof Gone || (disconnected.signal.aborted && error instanceof Unavailable);
  state.error = hasLeft ? new Gone('The visitor left.', { cause: error }) : error;
  if (hasLeft) {
    res.destroy();
    return;
  }
  try {
    const { rpcId, info } = state;
    await sendError({ parts, req, res, reference: id, info, style: styleFor(state, req), match, rpcId }, error);
  } catch (failed) {
    parts.application.log.error({ err: failed, request: id }, 'An error response could not be sent');
    res.destroy();
  }
}

function styleFor({ match }: RequestState, req: Request): ErrorStyle {
  const handling = match?.bound.route.handling;
  if (handling?.errors) return handling.errors;
  const style = styleOf(req);
  if (handling === undefined) return style;
  if (handling.forVisitors) return style === 'json' ? 'json' : 'page';
  if (style !== 'page') return 'json';
  return (req.headers.accept ?? '').includes('text/html') ? 'page' : 'text';
}
