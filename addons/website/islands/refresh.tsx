import { Html } from '@pergola/web/kit';
import { rpc } from 'pergola/browser';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { z } from 'zod';
import { isEdited } from '../snippets/browser/editing.ts';
import type schema from './refresh.props.ts';

/** Age in milliseconds after which hidden content is reloaded. */
const OLD = 60_000;

/**
 * Reloads its content when the page becomes visible again after a while, since results and stock change. Keeps the content if the request
 * fails, or while a visitor is using it.
 */
export default function Refresh({ path, params, children }: z.infer<typeof schema> & { children?: ReactNode }) {
  const [html, setHtml] = useState<string>();
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The island can be hydrated long after the page was rendered.
    let lastUpdate = Date.now() - performance.now();
    const isFree = (): boolean =>
      container.current !== null && !container.current.contains(document.activeElement) && !isEdited(container.current);
    const update = async (): Promise<void> => {
      if (document.hidden || Date.now() - lastUpdate < OLD || !isFree()) return;
      lastUpdate = Date.now();
      const content = contentOf(await rpc(path, params).catch(() => null));
      if (content !== undefined && isFree()) setHtml(content);
    };
    const onShow = (): void => void update();
    onShow();
    document.addEventListener('visibilitychange', onShow);
    return () => document.removeEventListener('visibilitychange', onShow);
  }, [path, params]);
  return (
    <div ref={container}>
      <Html html={html ?? null}>{children}</Html>
    </div>
  );
}

/** Content of the island in the returned markup. */
function contentOf(answer: unknown): string | undefined {
  const [markup] = typeof answer === 'object' && answer !== null ? Object.values(answer) : [answer];
  return /<pergola-content>(.*)<\/pergola-content>/s.exec(String(markup))?.[1];
}
