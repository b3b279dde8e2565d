import { channel } from 'node:diagnostics_channel';
import { currentAccount, stackAbove } from '@pergola/core';
import type { Result, Statement } from './types.ts';

/** A statement published on the channel `pergola:query` when it starts, in the async context of its caller. */
export interface QueryTrace {
  readonly statement: Statement;
  /** Contains the caller's `stack`, formatted on access. */
  readonly caller: { readonly stack: string };
  /** Duration including the wait for a connection, in milliseconds; null until it ends. */
  ms: number | null;
}

/** Name of the `node:diagnostics_channel` on which statements are published. */
export const QUERY_CHANNEL = 'pergola:query';

const queries = channel(QUERY_CHANNEL);

/** Runs a statement for the account of the running code, and publishes it if there is a subscriber: only `pergola dev` has one. */
export function traced(statement: Statement, run: () => Promise<Result>): Promise<Result> {
  const runNow = queries.hasSubscribers ? () => publish(statement, run) : run;
  return currentAccount()?.query(runNow) ?? runNow();
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
