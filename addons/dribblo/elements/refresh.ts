import { RpcError, rpc } from '#core/browser';

/** A part of a page that was out of sight for so long is asked for again, in milliseconds. */
const OLD = 60_000;

/**
 * Brings a snippet up to date when its page comes back into sight after a while: results change on match days. Without a connection it stays as it
 * is.
 */
export default function refresh(element: HTMLElement): () => void {
  let shown = Date.now();
  let ended = false;
  const look = async (): Promise<void> => {
    const path = element.dataset.refresh;
    if (document.hidden || !path || Date.now() - shown < OLD || isBusy(element)) return;
    shown = Date.now();
    try {
      const html = await rpc<string>(path, JSON.parse(element.dataset.params ?? '{}') as object);
      if (!ended && !isBusy(element)) replaceWith(element, html);
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

/** Puts what the server made in the place of what is there. */
export function replaceWith(element: HTMLElement, html: string): void {
  const made = document.createRange().createContextualFragment(html).querySelector<HTMLElement>('[data-slot]');
  if (made && made.dataset.slot === element.dataset.slot) element.replaceWith(made);
}

/** Whether somebody is doing something in it, or the page is being edited. */
function isBusy(element: HTMLElement): boolean {
  return (
    element.contains(document.activeElement) || element.closest('[data-editing], [contenteditable="true"]') !== null
  );
}
