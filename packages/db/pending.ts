import { authorCall } from '@pergola/core';
import { DatabaseMisuse } from './errors.ts';

/** An operation of a transaction that has begun and not ended. */
export interface PendingOperation {
  /** For people: `write of booking.reservation`. */
  readonly what: string;
  /** The savepoint it was begun in; 0 outside of any. */
  readonly savepoint: number;
  /** The calls that led to it; null in production. */
  readonly calls: { readonly stack: string } | null;
  readonly ended: Promise<unknown>;
}

/** The fault of work that ended before operations it had begun, as if it had been thrown by the call that nothing awaits. */
export function forgottenAwait(label: string, pending: readonly PendingOperation[]): DatabaseMisuse {
  const known = pending.flatMap(({ what, calls }) => {
    const call = calls && authorCall(calls.stack);
    return calls && call ? [{ what, stack: calls.stack, ...call }] : [];
  });
  // Calls of addons come before what the core did for them.
  const [call] = known;
  const all = [...new Set(pending.map(({ what }) => what))].join(', ');
  const at = call ? ` It was called at ${call.file}:${call.line}.` : '';
  const error = new DatabaseMisuse(
    `“${label}” ended while an operation was still running (${all}).${at} Put “await” before the call, or return its promise.`,
  );
  if (call) error.stack = `${error.name}: ${error.message}${call.stack.slice(call.stack.indexOf('\n'))}`;
  return error;
}
