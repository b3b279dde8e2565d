import { useSyncExternalStore } from 'react';

const never = (): (() => void) => () => {};

/** Whether scripts run: false on the server, and during the first render. */
export function useAwake(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
