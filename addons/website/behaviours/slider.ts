import { isEdited } from '../snippets/browser/editing.ts';
import { whenSeen } from '../snippets/browser/when-seen.ts';

/**
 * A row of slides (`.s_slider > .slides`) that is scrolled and snaps; it works by swiping and scrolling alone. This adds buttons, arrow keys
 * and the automatic step, which rests while the pointer or the focus is in it, while the page is hidden, and for those who want less motion.
 */
export default function slider(element: HTMLElement): undefined | (() => void) {
  const track = element.querySelector<HTMLElement>('.slides');
  if (!track || track.children.length < 2 || isEdited(element)) return undefined;
  // Whoever has no pointer scrolls it by arrow keys.
  track.tabIndex = 0;
  const end = whenSeen(element, async () => {
    const { showSliderControls } = await import('../islands/parts/show-slider-controls.tsx');
    return showSliderControls(element, track);
  });
  return () => {
    track.removeAttribute('tabindex');
    end();
  };
}
