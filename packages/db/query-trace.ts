import { channel } from 'node:diagnostics_channel';
import { stackAbove } from '@pergola/core';
import type { Result, Statement } from './types.ts';

/** A statement as subscribers of the channel `pergola:query` get it, when it begins and in the async context of its caller. */
export interface QueryTrace {
  readonly statement: Statement;
  /** Its `stack` is the caller's, formatted when it is read. */
  readonly caller: { readonly stack: string };
  /** How long it took with the wait for a connection, in milliseconds; null until it ends. */
  ms: number | null;
}

/** Name of the channel of `node:diagnostics_channel` on which statements are published. */
export const QUERY_CHANNEL = 'pergola:query';

const queries = channel(QUERY_CHANNEL);

/** Runs a statement, and publishes it if there is a subscriber: only `pergola dev` has one. */
export function traced(statement: Statement, run: () => Promise<Result>): Promise<Result> {
  return queries.hasSubscribers ? publish(statement, run) : run();
}

async function publish(statement: Statement, run: () => Promise<Result>): Promise<Result> {
  const trace: QueryTrace = { statement, caller: stackAbove(traced), ms: null };
  const startedAt = performance.now();
  queries.publish(trace);
  try {
    return await run();
  } finally {
    trace.ms = performance.now() - startedAt;
  }
}
