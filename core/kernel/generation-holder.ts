import { type Log, NOT_READY, Unavailable } from '../base/index.ts';

/** Somebody's stay on a generation. */
interface GenerationLease<G> {
  readonly generation: G;
  /** Ends the stay; calling it again does nothing. Only when the answer is sent *and* the handler has settled. */
  release(): void;
}

/**
 * The one pointer to the generation that serves, and who is still on older ones.
 *
 * ```
 * swap(2)   current ──▶ 2        1 ◀── two requests that began before; 1 is disposed when the second of them ends
 * ```
 */
export interface GenerationHolder<G extends { readonly number: number }> {
  /** The generation new requests begin on. Unavailable while there is none. */
  readonly current: G;
  /** Whether there is one. */
  readonly ready: boolean;
  /** The number of the oldest generation that is not yet disposed: the current one's when nobody is on an older, 0 when there is none. */
  readonly oldest: number;
  /** Begins a stay on the current generation. */
  acquire(): GenerationLease<G>;
  /** Makes `next` the current one. The one before is disposed as soon as the last stay on it ends. */
  swap(next: G): void;
  /** Called after each swap, and after each generation that ended. Answers how to stop. */
  subscribe(listener: () => void): () => void;
  /** Ends: no new stays; resolves when all stays have ended and every generation is disposed. */
  close(): Promise<void>;
}

interface Held<G> {
  readonly generation: G;
  stays: number;
  readonly ended: PromiseWithResolvers<void>;
}

/**
 * Makes the holder of an application's generations. `dispose` ends what a generation keeps open; what it throws is logged.
 */
export function createGenerationHolder<G extends { readonly number: number }>(options: {
  dispose: (generation: G) => Promise<void>;
  log: Pick<Log, 'error'>;
}): GenerationHolder<G> {
  const { dispose, log } = options;
  const held = new Set<Held<G>>();
  const listeners = new Set<() => void>();
  let current: Held<G> | null = null;
  let closed = false;

  const tell = (): void => {
    for (const listener of [...listeners]) {
      try {
        listener();
      } catch (error) {
        log.error({ err: error }, 'A listener to generations failed');
      }
    }
  };
  const endIfUnused = (one: Held<G>): void => {
    if (one.stays > 0 || (one === current && !closed)) return;
    // Asynchronously, so that what a service does at its end cannot fail the request that happened to be the last.
    void Promise.resolve(one.generation)
      .then(dispose)
      .catch((error: unknown) =>
        log.error({ err: error, generation: one.generation.number }, 'A generation did not end cleanly'),
      )
      .then(() => {
        held.delete(one);
        one.ended.resolve();
        tell();
      });
  };
  const theCurrent = (): Held<G> => {
    if (current && !closed) return current;
    throw new Unavailable('The site is starting or stopping. Try again in a moment.', {
      code: NOT_READY,
    });
  };

  return {
    get current() {
      return theCurrent().generation;
    },
    get ready() {
      return current !== null && !closed;
    },
    get oldest() {
      return held.size === 0 ? 0 : Math.min(...[...held].map(({ generation }) => generation.number));
    },
    acquire() {
      const one = theCurrent();
      one.stays += 1;
      let released = false;
      return {
        generation: one.generation,
        release() {
          if (released) return;
          released = true;
          one.stays -= 1;
          endIfUnused(one);
        },
      };
    },
    swap(next) {
      if (closed) throw new Unavailable('The site is stopping.', { code: NOT_READY });
      const before = current;
      current = { generation: next, stays: 0, ended: Promise.withResolvers() };
      held.add(current);
      if (before) endIfUnused(before);
      tell();
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
      await Promise.all([...held].map((one) => one.ended.promise));
    },
  };
}
