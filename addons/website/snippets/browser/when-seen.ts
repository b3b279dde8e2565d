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
