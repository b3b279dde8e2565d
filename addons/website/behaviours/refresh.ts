import { RpcError, rpc } from '#core/browser';
import { replaceWith } from '../snippets/browser/replace.ts';

/** A part of a page that was out of sight for so long is asked for again, in milliseconds. */
const OLD = 60_000;

/**
 * Brings a part of a page up to date when its page comes back into sight after a while: results change on match days, products are sold out. Without a
 * connection it stays as it is.
 */
export default function refresh(element: HTMLElement): () => void {
  let shown = Date.now();
  let ended = false;
  const look = async (): Promise<void> => {
    const path = element.dataset.refresh;
    if (document.hidden || !path || Date.now() - shown < OLD || isBusy(element)) return;
    shown = Date.now();
    try {
      const answer = await rpc(path, JSON.parse(element.dataset.params ?? '{}') as object);
      if (!ended && !isBusy(element)) replaceWith(element, markupOf(answer));
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
    }
  };
  const onShow = (): void => void look();
  document.addEventListener('visibilitychange', onShow);
  return () => {
    ended = true;
    document.removeEventListener('visibilitychange', onShow);
  };
}

/** Markup itself, or the only one in an answer by ids. */
function markupOf(answer: unknown): string {
  const [markup] = typeof answer === 'object' && answer !== null ? Object.values(answer) : [answer];
  return typeof markup === 'string' ? markup : '';
}

/** Whether somebody is doing something in it, or the page is being edited. */
function isBusy(element: HTMLElement): boolean {
  return (
    element.contains(document.activeElement) || element.closest('[data-editing], [contenteditable="true"]') !== null
  );
}
