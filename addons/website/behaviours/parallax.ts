import { keepsStill, listen } from '../snippets/browser/behaviour.ts';

/**
 * A picture that moves slower than the page. `data-opt-ratio` says by how much: 0 with the page, 1 not at all (a fixed background).
 *
 *   picture's top in the window = section's top × (1 − ratio)
 *
 * It is as high as it has to be to cover what is seen of the section at every position. Without motion the picture covers the section.
 */
export default function parallax(section: HTMLElement): undefined | (() => void) {
  const picture = section.querySelector<HTMLElement>(':scope > .s_parallax_picture');
  const ratio = Math.min(Math.max(Number(section.dataset.optRatio ?? 0.6), 0), 1);
  if (!picture || !ratio || keepsStill(section)) return undefined;
  let frame = 0;
  const place = (): void => {
    frame = 0;
    const { top, height } = section.getBoundingClientRect();
    if (top > innerHeight || top + height < 0) return;
    picture.style.height = `${pictureHeight(height, innerHeight, ratio)}px`;
    picture.style.transform = `translateY(${Math.round(-top * ratio)}px)`;
  };
  const soon = (): void => {
    frame ||= requestAnimationFrame(place);
  };
  const end = listen(window, ['scroll', 'resize'], soon);
  place();
  return () => {
    end();
    cancelAnimationFrame(frame);
    picture.removeAttribute('style');
  };
}

/** Pixels; see the formula above. */
export function pictureHeight(section: number, view: number, ratio: number): number {
  return Math.ceil(section + Math.max(view - section, 0) * ratio);
}
