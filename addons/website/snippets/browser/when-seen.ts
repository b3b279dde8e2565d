/** Starts what an element needs once it is in the window, or near it; answers how to end that, or not to begin it. */
export function whenSeen(element: Element, start: () => Promise<() => void>, rootMargin = '200px'): () => void {
  let started: Promise<() => void> | undefined;
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      started = start();
    },
    { rootMargin },
  );
  observer.observe(element);
  return () => {
    observer.disconnect();
    void started?.then((end) => end());
  };
}

/** Starts what nobody needs before they come near an element by pointer, finger or keyboard, or a script fills it; answers how to end that, or not to begin it. */
export function whenNear(element: Element, start: () => Promise<() => void>): () => void {
  let started: Promise<() => void> | undefined;
  const waiting = new AbortController();
  const begin = (): void => {
    waiting.abort();
    started = start();
  };
  for (const sign of ['pointerover', 'touchstart', 'focusin', 'change'])
    element.addEventListener(sign, begin, { passive: true, signal: waiting.signal });
  if (element.matches(':hover, :focus-within')) begin();
  return () => {
    waiting.abort();
    void started?.then((end) => end());
  };
}
