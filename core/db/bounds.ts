import type { Unavailable } from '../base/errors.ts';
import { abandoned, tookTooLong } from './errors.ts';
import type { ReadBounds } from './types.ts';

/** One statement that is watched while it runs. */
export interface Watched {
  /** Why it was stopped; null while nothing stopped it. */
  readonly why: Unavailable | null;
  /** Called when it has settled, and before anything else runs in its place: from then on nothing is stopped. */
  end(): void;
}

/**
 * Watches a statement that was just begun: `stop` is called once when it has run for too long, or when nobody waits for it any more.
 *
 * @throws Unavailable when nobody waits already.
 */
export function watch({ statementMs, signal }: ReadBounds, stop: () => void): Watched {
  if (signal?.aborted) throw abandoned();
  let why: Unavailable | null = null;
  const halt = (reason: Unavailable): void => {
    if (why !== null) return;
    why = reason;
    stop();
  };
  const leave = (): void => halt(abandoned());
  const timer = statementMs ? setTimeout(() => halt(tookTooLong(statementMs)), statementMs) : undefined;
  signal?.addEventListener('abort', leave);
  return {
    get why() {
      return why;
    },
    end() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', leave);
    },
  };
}
