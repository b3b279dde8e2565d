import type { RequestHandler } from 'express';
import type { HttpParts } from '../routes/call.ts';
import { READING } from '../routes/route-table.ts';

/** Turns requests away while there is more than can be done in time. */
export function loadShedding({ loadShedder }: HttpParts): RequestHandler {
  return function loadShedding(req, _res, next) {
    req.pergola.ticket = loadShedder.enter(READING.has(req.method) ? 'read' : 'write');
    next();
  };
}
