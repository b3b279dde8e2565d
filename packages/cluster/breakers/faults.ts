import { ControlSignal, PergolaError, Unavailable } from '@pergola/core';
import { DatabaseError, isDiskFull, isOutOfMemory } from '@pergola/db';

/** Maximum number of nested causes to check. */
const MAX_DEPTH = 10;

/**
 * Whether an error is a fault of the code that threw it. Refusals aren't, nor what meets all code at once (a database, disk or memory that
 * isn't available), nor work that was cancelled or has to be repeated.
 */
export function isFault(error: unknown): boolean {
  if (isDiskFull(error) || isOutOfMemory(error)) return false;
  if (error instanceof PergolaError && error.status < 500) return false;
  for (const cause of causesOf(error)) {
    if (cause instanceof Unavailable || cause instanceof ControlSignal) return false;
    if (Error.isError(cause) && cause.name === 'AbortError') return false;
    if (cause instanceof DatabaseError && cause.code === FAILED_TRANSACTION) return false;
  }
  return true;
}

/** PostgreSQL refuses the remaining statements of a transaction that has to be repeated. */
const FAILED_TRANSACTION = '25P02';

/** An error followed by its causes. */
export function* causesOf(error: unknown): Generator<unknown> {
  let current = error;
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
    yield current;
    if (!Error.isError(current) || current.cause === undefined) return;
    current = current.cause;
  }
}

/** A route that is off. */
export function routeOff(retryAt: number): Unavailable {
  return new Unavailable(
    'This page is switched off for the moment because it kept failing. Try again in a few minutes.',
    {
      code: 'core.route_off',
      retryAfter: secondsUntil(retryAt),
    },
  );
}

/** A change, or a check of rights, that needs a part that is off. */
export function partOff(retryAt: number): Unavailable {
  return new Unavailable(
    'This isn’t possible at the moment because a part of the site keeps failing. Nothing was changed. Try again in a few minutes.',
    { code: 'core.part_off', retryAfter: secondsUntil(retryAt) },
  );
}

function secondsUntil(at: number): number {
  return Math.max(1, Math.ceil((at - Date.now()) / 1000));
}

/** Runs work, synchronous or not, and hands its result or error to one of these functions. */
export function attempt<T>(work: () => T, failed: (error: unknown) => T, succeeded: () => void): T {
  let result: T;
  try {
    result = work();
  } catch (error) {
    return failed(error);
  }
  if (result instanceof Promise) return settled(result, failed, succeeded) as T;
  succeeded();
  return result;
}

/** Awaits, so that stack traces keep the callers. */
async function settled(
  promise: Promise<unknown>,
  failed: (error: unknown) => unknown,
  succeeded: () => void,
): Promise<unknown> {
  try {
    const value = await promise;
    succeeded();
    return value;
  } catch (error) {
    return failed(error);
  }
}
