import { keepsStill } from '../snippets/browser/behaviour.ts';
import { isEdited } from '../snippets/browser/editing.ts';

/**
 * Background video of a section (`video.o-behind`). Plays muted, with a pause button, unless the visitor prefers reduced motion or saves
 * data.
 */
export default function film(video: HTMLVideoElement): undefined | (() => void) {
  if (isEdited(video)) return undefined;
  video.muted = true;
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  // In data-saver mode, or if the browser blocks autoplay, the button starts the video.
  if (!keepsStill(video) && !connection?.saveData) video.play().catch(() => {});
  const buttonMounted = import('../islands/parts/film-button.tsx').then(({ showFilmButton }) => showFilmButton(video));
  return () => void buttonMounted.then((end) => end());
}
