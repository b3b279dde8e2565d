import { isEdited } from '../snippets/browser/editing.ts';

/** A film behind a section (`video.o-behind`): it plays without sound where motion is wanted, and has a button that stops it. */
export default function film(video: HTMLVideoElement): undefined | (() => void) {
  if (isEdited(video)) return undefined;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'o-film-button btn btn-sm btn-outline-secondary';
  const start = async (): Promise<void> => {
    const { t } = await import('#core/browser');
    const name = (): void => {
      button.textContent = video.paused ? t('Play the film') : t('Stop the film');
    };
    for (const event of ['play', 'pause']) video.addEventListener(event, name);
    name();
    video.parentElement?.append(button);
    video.muted = true;
    if (!matchMedia('(prefers-reduced-motion: reduce)').matches) await video.play().catch(name);
  };
  button.addEventListener('click', () => (video.paused ? void video.play() : video.pause()));
  void start();
  return () => button.remove();
}
