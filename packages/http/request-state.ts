import type { CodeAccount, Cookies, Ctx, Host } from '@pergola/core';
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
  /** Also used as the reference of errors, and in every log entry of the request. */
  readonly id: string;
  /** From `performance.now()`. */
  readonly startedAt: number;
  /** Holds the generation that serves the request. */
  readonly lease: Lease;
  readonly entry: SiteEntry;
  /** Measures the code that runs for the request; null if nothing is measured. */
  readonly account: CodeAccount | null;
  /** Aborted if the visitor leaves before the reply is complete. */
  readonly disconnected: AbortController;
  /** Cleanup functions, called when the request is over. */
  readonly releases: (() => void)[];
  ticket: Ticket;
  target: Target | null;
  host: Host | null;
  cookies: Cookies;
  session: RequestSession | null;
  /** Host, identity and target. */
  info: RequestInfo | null;
  match: RouteMatch | null;
  /** The call on its route. */
  call: Call | null;
  /** The `id` of a JSON-RPC call. */
  rpcId: unknown;
  error: unknown;
  /** To be called by the middleware that sends the reply, once it is done: releases the request's resources. */
  end(): void;
}

/** Result of an earlier middleware. */
export function required<T>(value: T | null): T {
  if (value === null) throw new Error('A middleware runs before the one whose result it needs.');
  return value;
}
