import { t } from 'pergola/browser';
import { useEffect, useState } from 'react';
import { showBeside } from './show-beside.ts';

/** Adds the pause button of a background video at the end of its section. */
export function showFilmButton(video: HTMLVideoElement): Promise<() => void> {
  return showBeside(video.parentElement ?? document.body, '', () => <FilmButton video={video} />);
}

function FilmButton({ video }: { video: HTMLVideoElement }) {
  const [isPaused, setPaused] = useState(video.paused);
  useEffect(() => {
    const updatePaused = (): void => setPaused(video.paused);
    const ended = new AbortController();
    for (const event of ['play', 'pause']) video.addEventListener(event, updatePaused, { signal: ended.signal });
    updatePaused();
    return () => ended.abort();
  }, [video]);
  return (
    <button
      type="button"
      className="o-film-button btn btn-sm btn-outline-secondary"
      onClick={() => (isPaused ? void video.play() : video.pause())}
    >
      {isPaused ? t('Play video') : t('Stop video')}
    </button>
  );
}
