import type { RequestHandler } from 'express';
import type { HttpParts } from '../routes/call.ts';
import { READING } from '../routes/route-table.ts';

/** Rejects requests under overload. */
export function loadShedding({ loadShedder }: HttpParts): RequestHandler {
  return function loadShedding(req, _res, next) {
    req.pergola.ticket = loadShedder.enter(READING.has(req.method) ? 'read' : 'write');
    next();
  };
}
