import type { Cookies, Ctx, Host } from '@pergola/core';
import type { Ticket } from './load-shedder.ts';
import type { RequestInfo } from './request-info.ts';
import type { Call } from './routes/call.ts';
import type { RouteMatch } from './routes/route-table.ts';
import type { RequestSession } from './sessions/session.ts';
import type { SiteEntry } from './sites.ts';
import type { Target } from './target.ts';
import type { Lease } from './types.ts';

declare module 'express-serve-static-core' {
  interface Request {
    /** State collected for the request so far. */
    pergola: RequestState;
    /** In handlers that an addon mounts: the request's context. */
    ctx: Ctx;
  }
}

/** A request from arrival to end, on `req.pergola`. Each middleware fills in its result; null means not determined yet. */
export interface RequestState {
  /** Also the reference of errors, and in every log line of the request. */
  readonly id: string;
  /** As `performance.now()` says it. */
  readonly startedAt: number;
  /** Holds the generation that serves the request. */
  readonly lease: Lease;
  readonly entry: SiteEntry;
  /** Aborted when the visitor leaves before the answer is complete. */
  readonly left: AbortController;
  /** Gives back what the request held; called when it is over. */
  readonly releases: (() => void)[];
  ticket: Ticket;
  target: Target | null;
  host: Host | null;
  cookies: Cookies;
  session: RequestSession | null;
  /** Where it came in, who asks, what for. */
  info: RequestInfo | null;
  match: RouteMatch | null;
  /** On its way through its route. */
  call: Call | null;
  /** The `id` of a JSON-RPC call. */
  rpcId: unknown;
  error: unknown;
  /** To be called by whichever middleware answered, once it has done everything: what the request held is given back. */
  end(): void;
}

/** Result of an earlier middleware. */
export function found<T>(value: T | null): T {
  if (value === null) throw new Error('A middleware runs before the one whose result it needs.');
  return value;
}
