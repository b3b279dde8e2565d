import { authorCall } from '@pergola/core';
import { DatabaseMisuse } from './errors.ts';

/** An unfinished operation of a transaction. */
export interface PendingOperation {
  /** For messages: `write of booking.reservation`. */
  readonly description: string;
  /** The savepoint in which it started; 0 for none. */
  readonly savepoint: number;
  /** Stack of the call; null in production. */
  readonly calls: { readonly stack: string } | null;
  readonly ended: Promise<unknown>;
}

/** Error for work that ended before operations it had started, with the stack of the call that isn't awaited. */
export function forgottenAwait(label: string, pending: readonly PendingOperation[]): DatabaseMisuse {
  const calledOperations = pending.flatMap(({ description, calls }) => {
    const call = calls && authorCall(calls.stack);
    return calls && call ? [{ description, stack: calls.stack, ...call }] : [];
  });
  // Stacks from addons come before stacks from the core.
  const [call] = calledOperations;
  const all = [...new Set(pending.map(({ description }) => description))].join(', ');
  const location = call ? ` It was called at ${call.file}:${call.line}.` : '';
  const error = new DatabaseMisuse(
    `“${label}” ended while an operation was still running (${all}).${location} Put “await” before the call, or return its promise.`,
  );
  if (call) error.stack = `${error.name}: ${error.message}${call.stack.slice(call.stack.indexOf('\n'))}`;
  return error;
}
