import { type Log, NOT_READY, Unavailable } from '../base/index.ts';

/** Keeps a generation alive while a request or job uses it. */
interface GenerationLease<G> {
  readonly generation: G;
  /** Ends the lease; further calls do nothing. Call it only after the response was sent *and* the handler has settled. */
  release(): void;
}

/**
 * Pointer to the serving generation, with the leases on older ones.
 *
 * ```
 * swap(2)   current ──▶ 2        1 ◀── two earlier requests; 1 is disposed when the second one ends
 * ```
 */
export interface GenerationHolder<G extends { readonly number: number }> {
  /** Generation for new requests. Throws Unavailable if nothing serves. */
  readonly current: G;
  /** Whether a generation is serving. */
  readonly ready: boolean;
  /** Number of the oldest generation that isn't disposed yet, or 0 without generations. */
  readonly oldest: number;
  /** Takes a lease on the current generation. */
  acquire(): GenerationLease<G>;
  /** Makes `next` current. Disposes the previous generation when its last lease ends. */
  swap(next: G): void;
  /** Calls `listener` after each swap and each disposed generation. Returns an unsubscribe function. */
  subscribe(listener: () => void): () => void;
  /** Refuses new leases; resolves when all leases have ended and every generation is disposed. */
  close(): Promise<void>;
}

interface Entry<G> {
  readonly generation: G;
  leases: number;
  readonly ended: PromiseWithResolvers<void>;
}

/** Creates the holder of an application's generations. Errors thrown by `dispose` are logged. */
export function createGenerationHolder<G extends { readonly number: number }>(options: {
  dispose: (generation: G) => Promise<void>;
  log: Pick<Log, 'error'>;
}): GenerationHolder<G> {
  const { dispose, log } = options;
  const entries = new Set<Entry<G>>();
  const listeners = new Set<() => void>();
  let current: Entry<G> | null = null;
  let closed = false;

  const notify = (): void => {
    for (const listener of [...listeners]) {
      try {
        listener();
      } catch (error) {
        log.error({ err: error }, 'A listener to generations failed');
      }
    }
  };
  const endIfUnused = (entry: Entry<G>): void => {
    if (entry.leases > 0 || (entry === current && !closed)) return;
    // Asynchronous, so an error during disposal can't fail the last request.
    void Promise.resolve(entry.generation)
      .then(dispose)
      .catch((error: unknown) =>
        log.error({ err: error, generation: entry.generation.number }, 'A generation did not end cleanly'),
      )
      .then(() => {
        entries.delete(entry);
        entry.ended.resolve();
        notify();
      });
  };
  const requireCurrent = (): Entry<G> => {
    if (current && !closed) return current;
    const message = closed
      ? 'The site is stopping. Try again in a moment.'
      : 'The site isn’t ready. Try again in a moment.';
    throw new Unavailable(message, { code: NOT_READY });
  };

  return {
    get current() {
      return requireCurrent().generation;
    },
    get ready() {
      return current !== null && !closed;
    },
    get oldest() {
      return entries.size === 0 ? 0 : Math.min(...[...entries].map(({ generation }) => generation.number));
    },
    acquire() {
      const entry = requireCurrent();
      entry.leases += 1;
      let released = false;
      return {
        generation: entry.generation,
        release() {
          if (released) return;
          released = true;
          entry.leases -= 1;
          endIfUnused(entry);
        },
      };
    },
    swap(next) {
      if (closed) throw new Unavailable('The site is stopping. Try again in a moment.', { code: NOT_READY });
      const previous = current;
      current = { generation: next, leases: 0, ended: Promise.withResolvers() };
      entries.add(current);
      if (previous) endIfUnused(previous);
      notify();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      if (!closed) {
        closed = true;
        if (current) endIfUnused(current);
      }
      await Promise.all([...entries].map((entry) => entry.ended.promise));
    },
  };
}
