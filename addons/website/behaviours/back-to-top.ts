/** Pixels after which the button is there, and after which it fades; milliseconds that the way up takes. */
export const SHOWN_AFTER = 300;
export const FADES_AFTER = 1200;
export const DURATION = 700;

/** The link at the page's corner that leads up. Without scripts it is not shown: the page's own keys do the same. */
export default function backToTop(link: HTMLElement): () => void {
  const look = (): void => {
    link.toggleAttribute('data-shown', scrollY > SHOWN_AFTER);
    link.toggleAttribute('data-faded', scrollY > FADES_AFTER);
  };
  const up = (event: Event): void => {
    event.preventDefault();
    rise();
    // The next Tab begins at the top again.
    document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true });
  };
  const watched = new AbortController();
  addEventListener('scroll', look, { passive: true, signal: watched.signal });
  link.addEventListener('click', up, { signal: watched.signal });
  look();
  return () => watched.abort();
}

/** Scrolls to the top in {@link DURATION}; at once for those who want less motion. */
function rise(): void {
  const from = scrollY;
  const begun = performance.now();
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const step = (now: number): void => {
    const done = still ? 1 : Math.min((now - begun) / DURATION, 1);
    const eased = (1 - Math.cos(Math.PI * done)) / 2;
    scrollTo({ top: from * (1 - eased), behavior: 'instant' });
    if (done < 1) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}
