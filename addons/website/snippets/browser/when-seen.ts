/** Calls `start` when an element is near or in the viewport. Returns a function that stops waiting or cleans up. */
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
