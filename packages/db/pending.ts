import { authorCall } from '@pergola/core';
import { DatabaseMisuse } from './errors.ts';

/** An unfinished operation of a transaction. */
export interface PendingOperation {
  /** For messages: `write of booking.reservation`. */
  readonly what: string;
  /** The savepoint in which it started; 0 for none. */
  readonly savepoint: number;
  /** Stack of the call; null in production. */
  readonly calls: { readonly stack: string } | null;
  readonly ended: Promise<unknown>;
}

/** Error for work that ended before operations it had started, with the stack of the call that isn't awaited. */
export function forgottenAwait(label: string, pending: readonly PendingOperation[]): DatabaseMisuse {
  const known = pending.flatMap(({ what, calls }) => {
    const call = calls && authorCall(calls.stack);
    return calls && call ? [{ what, stack: calls.stack, ...call }] : [];
  });
  // Stacks from addons come before stacks from the core.
  const [call] = known;
  const all = [...new Set(pending.map(({ what }) => what))].join(', ');
  const at = call ? ` It was called at ${call.file}:${call.line}.` : '';
  const error = new DatabaseMisuse(
    `“${label}” ended while an operation was still running (${all}).${at} Put “await” before the call, or return its promise.`,
  );
  if (call) error.stack = `${error.name}: ${error.message}${call.stack.slice(call.stack.indexOf('\n'))}`;
  return error;
}
