import { useEffect, useEffectEvent } from 'react';
import { openStream } from '../rpc.ts';

/** After a refusal it is asked again so late, in milliseconds. Lines that break are mended by the browser itself, much sooner. */
const REFUSED_MS = 90_000;

/**
 * Hears what a `route.events` tells, from when the component stands on the page until it goes, as long as the page is seen: no line is open for a tab in
 * the background. The first text comes at once, and after each pause another one; null hears nothing.
 *
 * ```tsx
 * useEvents<{ newest: number[] }>('/forum/live/3', ({ newest }) => setNewest(newest));
 * ```
 */
export function useEvents<T>(path: string | null, hear: (data: T) => void): void {
  const heard = useEffectEvent(hear);
  useEffect(() => {
    if (path === null || typeof EventSource === 'undefined') return;
    let source: EventSource | null = null;
    let again: ReturnType<typeof setTimeout> | undefined;
    const close = (): void => {
      clearTimeout(again);
      source?.close();
      source = null;
    };
    const open = (): void => {
      close();
      const line = openStream(path);
      line.onmessage = ({ data }) => heard(JSON.parse(data) as T);
      line.onerror = () => {
        if (line.readyState === EventSource.CLOSED && source === line) again = setTimeout(open, REFUSED_MS);
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
    // A page that is left may be kept by the browser, and comes back as it was.
    addEventListener('pagehide', close, { signal });
    addEventListener('pageshow', look, { signal });
    return () => {
      close();
      watched.abort();
    };
  }, [path]);
}
