import { useEffect, useEffectEvent } from 'react';

/** Listens to an event of the window, or one that bubbles to it, while the component is mounted. */
export function useWindowEvent<N extends keyof WindowEventMap>(
  name: N,
  handler: (event: WindowEventMap[N]) => void,
): void {
  const latest = useEffectEvent(handler);
  useEffect(() => {
    const listener = (event: WindowEventMap[N]): void => latest(event);
    window.addEventListener(name, listener);
    return () => window.removeEventListener(name, listener);
  }, [name]);
}
