const SIGNS = ['pointerover', 'focusin', 'change'];

/** Starts what a form needs once a pointer, a finger or the keyboard comes to it, or a draft comes back; answers how to end that, or not to begin it. */
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
