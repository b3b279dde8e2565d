import { useEffect, useEffectEvent } from 'react';
import { openStream } from '../rpc.ts';

/** Delay before a rejected stream is requested again, in milliseconds. The browser itself restores broken connections, much sooner. */
const REFUSED_MS = 90_000;

/**
 * Receives the values of a `route.events` while the component is mounted and the page is visible: no connection stays open in background
 * tabs. The first value arrives at once, and again after each pause; a null path receives nothing.
 *
 * ```tsx
 * useEvents<{ newest: number[] }>('/forum/live/3', ({ newest }) => setNewest(newest));
 * ```
 */
export function useEvents<T>(path: string | null, hear: (data: T) => void): void {
  const onEvent = useEffectEvent(hear);
  useEffect(() => {
    if (path === null || typeof EventSource === 'undefined') return;
    let source: EventSource | null = null;
    let retryTimer: ReturnType<typeof setTimeout> | undefined;
    const close = (): void => {
      clearTimeout(retryTimer);
      source?.close();
      source = null;
    };
    const open = (): void => {
      close();
      const line = openStream(path);
      line.onmessage = ({ data }) => onEvent(JSON.parse(data) as T);
      line.onerror = () => {
        if (line.readyState === EventSource.CLOSED && source === line) retryTimer = setTimeout(open, REFUSED_MS);
      };
      source = line;
    };
    const look = (): void => {
      if (document.hidden) close();
      else if (!source) open();
    };
    look();
    const watched = new AbortController();
    const { signal } = watched;
    document.addEventListener('visibilitychange', look, { signal });
    // The browser may keep a page the visitor leaves in its back/forward cache.
    addEventListener('pagehide', close, { signal });
    addEventListener('pageshow', look, { signal });
    return () => {
      close();
      watched.abort();
    };
  }, [path]);
}
