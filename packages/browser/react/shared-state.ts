import { useSyncExternalStore } from 'react';

/** State shared by the islands of a page, whichever hydrates first. */
export interface SharedState<T> {
  /** For effects and handlers only, so that the server keeps no state. */
  set(value: T): void;
  /** Hook that returns the current value; `none` on the server and before hydration. */
  use(): T;
}

/**
 * ```ts
 * export const chosenVariant = sharedState(0);
 * ```
 *
 * @param none initial value
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
