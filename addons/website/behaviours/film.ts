import { keepsStill } from '../snippets/browser/behaviour.ts';
import { isEdited } from '../snippets/browser/editing.ts';

/** A film behind a section (`video.o-behind`): it plays without sound where motion is wanted and data not saved, and has a button that stops it. */
export default function film(video: HTMLVideoElement): undefined | (() => void) {
  if (isEdited(video)) return undefined;
  video.muted = true;
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  // Who saves data, and a browser that refuses, leaves it to the button.
  if (!keepsStill(video) && !connection?.saveData) video.play().catch(() => {});
  const shown = import('../islands/parts/film-button.tsx').then(({ showFilmButton }) => showFilmButton(video));
  return () => void shown.then((end) => end());
}
