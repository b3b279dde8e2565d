import { useSyncExternalStore } from 'react';
import type { Pricing } from '../pricing.props.ts';

/** Something that the islands of the page know together, whichever wakes first. Set by effects and handlers alone, so that the server keeps nothing. */
function shared<T>(none: T) {
  let value = none;
  const listeners = new Set<() => void>();
  const listen = (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    set(next: T): void {
      value = next;
      for (const listener of listeners) listener();
    },
    use: (): T =>
      useSyncExternalStore(
        listen,
        () => value,
        () => none,
      ),
  };
}

/** Lines and sums after a change; null as long as they are those of the page. */
export const changed = shared<Pricing | null>(null);
/** Whether the dialog to sign is open. */
export const signing = shared(false);
/** Whether the form to decline is open. */
export const declining = shared(false);
