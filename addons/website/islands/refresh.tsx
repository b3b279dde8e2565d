import { rpc } from 'pergola/browser';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { z } from 'zod';
import { Html } from '#addons/web/kit';
import { isEdited } from '../snippets/browser/editing.ts';
import type schema from './refresh.props.ts';

/** A part of a page that was out of sight for so long is asked for again, in milliseconds. */
const OLD = 60_000;

/**
 * Brings its content up to date when the page comes back into sight after a while: results change on match days, products are sold out. Without a
 * connection it stays as it is, and so it does while somebody is at it.
 */
export default function Refresh({ path, params, children }: z.infer<typeof schema> & { children?: ReactNode }) {
  const [html, setHtml] = useState<string>();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // This may be awake long after the page was made.
    let shown = Date.now() - performance.now();
    const isFree = (): boolean =>
      place.current !== null && !place.current.contains(document.activeElement) && !isEdited(place.current);
    const look = async (): Promise<void> => {
      if (document.hidden || Date.now() - shown < OLD || !isFree()) return;
      shown = Date.now();
      const content = contentOf(await rpc(path, params).catch(() => null));
      if (content !== undefined && isFree()) setHtml(content);
    };
    const onShow = (): void => void look();
    onShow();
    document.addEventListener('visibilitychange', onShow);
    return () => document.removeEventListener('visibilitychange', onShow);
  }, [path, params]);
  return <div ref={place}>{html === undefined ? children : <Html html={html} />}</div>;
}

/** What stands within the island in the markup that was answered. */
function contentOf(answer: unknown): string | undefined {
  const [markup] = typeof answer === 'object' && answer !== null ? Object.values(answer) : [answer];
  return /<pergola-content>(.*)<\/pergola-content>/s.exec(String(markup))?.[1];
}
