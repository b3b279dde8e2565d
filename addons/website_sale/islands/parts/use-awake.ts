import { useSyncExternalStore } from 'react';

const never = (): (() => void) => () => {};

/** Whether scripts run: not on the server, and not in the first picture of the page. */
export function useAwake(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
