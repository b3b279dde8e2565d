const SIGNS = ['pointerover', 'focusin', 'change'];

/**
 * Calls `start` when a pointer or the focus reaches the element, or a draft is restored. Returns a function that stops waiting or cleans
 * up.
 */
export function whenNear(element: Element, start: () => Promise<() => void>): () => void {
  let started: Promise<() => void> | undefined;
  const watched = new AbortController();
  const begin = (): void => {
    watched.abort();
    started = start();
  };
  for (const sign of SIGNS) element.addEventListener(sign, begin, { signal: watched.signal });
  if (element.contains(document.activeElement)) begin();
  return () => {
    watched.abort();
    void started?.then((end) => end());
  };
}
