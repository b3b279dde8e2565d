import { reply } from '../routes/reply.ts';
import type { RouteKind } from './kind.ts';

/** GETs that return bare JSON. */
export const json: RouteKind = {
  name: 'json',
  methods: ['GET'],
  errors: 'json',
  reply: (result) => reply.json(result ?? null),
};
