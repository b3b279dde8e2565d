import { useEffect, useEffectEvent } from 'react';

/** Runs once the island is alive, and whenever there is a connection again. */
export function useOnline(then: () => void): void {
  const now = useEffectEvent(then);
  useEffect(() => {
    const listener = (): void => now();
    listener();
    addEventListener('online', listener);
    return () => removeEventListener('online', listener);
  }, []);
}
