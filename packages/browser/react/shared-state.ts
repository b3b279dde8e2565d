import { useSyncExternalStore } from 'react';

/** State shared by the islands of a page, whichever hydrates first. */
export interface SharedState<T> {
  /** For effects and handlers only, so that the server keeps no state. */
  set(value: T): void;
  /** Hook that returns the current value; `initial` on the server and before hydration. */
  use(): T;
}

/**
 * ```ts
 * export const chosenVariant = sharedState(0);
 * ```
 *
 * @param initial initial value
 */
export function sharedState<T>(initial: T): SharedState<T> {
  let value = initial;
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
        () => initial,
      ),
  };
}
