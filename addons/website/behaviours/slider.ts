import { isEdited } from '../snippets/browser/editing.ts';
import { whenSeen } from '../snippets/browser/when-seen.ts';

/**
 * Slider (`.s_slider > .slides`), a snapping scroll container that works by swiping and scrolling alone. Adds buttons, arrow keys and
 * automatic playback, which pauses on hover or focus, while the page is hidden, and with reduced motion.
 */
export default function slider(element: HTMLElement): undefined | (() => void) {
  const track = element.querySelector<HTMLElement>('.slides');
  if (!track || track.children.length < 2 || isEdited(element)) return undefined;
  // Makes the track focusable for arrow keys.
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
