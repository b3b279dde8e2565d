import { keepsStill, listen, tween } from '../snippets/browser/behaviour.ts';

/** Scroll offsets in pixels at which the button appears and fades, and the duration of the scroll to the top in milliseconds. */
const SHOWN_AFTER = 300;
const FADES_AFTER = 1200;
const DURATION = 700;

/** Back-to-top link in the corner of the page. Hidden without JavaScript, where the Home key does the same. */
export default function backToTop(link: HTMLElement): () => void {
  const update = (): void => {
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
      // Scrolling by the visitor cancels the animation.
      for (const type of ['wheel', 'touchmove', 'keydown']) addEventListener(type, end, { once: true, passive: true });
    }
    // Moves the focus so that the next Tab starts at the top.
    document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true });
  };
  update();
  const ends = [listen(window, ['scroll', 'resize'], update), listen(link, ['click'], up)];
  return () => {
    for (const end of ends) end();
  };
}
