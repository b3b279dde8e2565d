import { useSyncExternalStore } from 'react';

/** Something that several islands of a page know together, whichever wakes first. */
export interface SharedState<T> {
  /** For effects and handlers alone, so that the server keeps nothing. */
  set(value: T): void;
  /** A hook: what it is now; `none` on the server and until the island is alive. */
  use(): T;
}

/**
 * ```ts
 * export const chosenVariant = sharedState(0);
 * ```
 *
 * @param none what it is until somebody knows better
 */
export function sharedState<T>(none: T): SharedState<T> {
  let value = none;
  const listeners = new Set<() => void>();
  const listen = (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    set(next) {
      value = next;
      for (const listener of listeners) listener();
    },
    use: () =>
      useSyncExternalStore(
        listen,
        () => value,
        () => none,
      ),
  };
}
