import { keepsStill, listen } from '../snippets/browser/behaviour.ts';

/**
 * Image that scrolls slower than the page. `data-opt-ratio` is the speed: 0 scrolls with the page, 1 doesn't move (fixed background).
 *
 *   image top in the viewport = section top × (1 − ratio)
 *
 * The image is tall enough to cover the visible part of the section at every scroll position. With reduced motion it covers the section.
 */
export default function parallax(section: HTMLElement): undefined | (() => void) {
  const picture = section.querySelector<HTMLElement>(':scope > .s_parallax_picture');
  const ratio = Math.min(Math.max(Number(section.dataset.optRatio ?? 0.6), 0), 1);
  if (!picture || !ratio || keepsStill(section)) return undefined;
  let frame = 0;
  const updatePosition = (): void => {
    frame = 0;
    const { top, height } = section.getBoundingClientRect();
    if (top > innerHeight || top + height < 0) return;
    picture.style.height = `${pictureHeight(height, innerHeight, ratio)}px`;
    picture.style.transform = `translateY(${Math.round(-top * ratio)}px)`;
  };
  const schedule = (): void => {
    frame ||= requestAnimationFrame(updatePosition);
  };
  const end = listen(window, ['scroll', 'resize'], schedule);
  updatePosition();
  return () => {
    end();
    cancelAnimationFrame(frame);
    picture.removeAttribute('style');
  };
}

/** Image height in pixels; see the formula above. */
export function pictureHeight(section: number, view: number, ratio: number): number {
  return Math.ceil(section + Math.max(view - section, 0) * ratio);
}
