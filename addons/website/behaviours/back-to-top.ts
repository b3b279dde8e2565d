import { keepsStill, listen, tween } from '../snippets/browser/behaviour.ts';

/** Pixels after which the button is there, and after which it fades; milliseconds that the way up takes. */
const SHOWN_AFTER = 300;
const FADES_AFTER = 1200;
const DURATION = 700;

/** The link at the page's corner that leads up. Without scripts it is not shown: the page's own keys do the same. */
export default function backToTop(link: HTMLElement): () => void {
  const look = (): void => {
    link.toggleAttribute('data-shown', scrollY > SHOWN_AFTER);
    link.toggleAttribute('data-faded', scrollY > FADES_AFTER);
  };
  const up = (event: Event): void => {
    event.preventDefault();
    const from = scrollY;
    const rise = (part: number): void =>
      scrollTo({ top: (from * (1 + Math.cos(Math.PI * part))) / 2, behavior: 'instant' });
    if (keepsStill(link)) rise(1);
    else {
      const end = tween(DURATION, rise);
      // Whoever scrolls meanwhile goes where they wish.
      for (const type of ['wheel', 'touchmove', 'keydown']) addEventListener(type, end, { once: true, passive: true });
    }
    // The next Tab begins at the top again.
    document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true });
  };
  look();
  const ends = [listen(window, ['scroll', 'resize'], look), listen(link, ['click'], up)];
  return () => {
    for (const end of ends) end();
  };
}
