import { reducedMotion, t } from 'pergola/browser';
import { useEffect, useRef, useState } from 'react';

/** Milliseconds per slide unless `data-opt-interval` is set; 0 disables automatic playback. */
const INTERVAL = 10_000;

/** Buttons, dots, arrow keys and automatic playback of a slider. */
export function SliderControls({ track, interval = INTERVAL }: { track: HTMLElement; interval?: number | undefined }) {
  const count = track.children.length;
  const [playing, setPlaying] = useState(() => interval > 0 && !reducedMotion());
  const { current, show } = useSlides(track, count);
  useAutomaticStep(track, playing ? interval : 0, show);
  useEffect(() => track.setAttribute('aria-live', playing ? 'off' : 'polite'), [track, playing]);
  return (
    <>
      <button
        type="button"
        className="slider-button slider-previous"
        aria-label={t('Previous slide')}
        onClick={() => show(-1)}
      >
        <span />
      </button>
      <div className="slider-dots">
        {Array.from({ length: count }, (_, index) => (
          <button
            // biome-ignore lint/suspicious/noArrayIndexKey: slides have no other key
            key={index}
            type="button"
            className="slider-dot"
            aria-label={t('Slide {number}', { number: index + 1 })}
            aria-current={index === current}
            onClick={() => show(index - current)}
          >
            <span />
          </button>
        ))}
      </div>
      <button type="button" className="slider-button slider-next" aria-label={t('Next slide')} onClick={() => show(1)}>
        <span />
      </button>
      {interval > 0 && (
        <button
          type="button"
          className={`slider-button slider-pause${playing ? '' : ' is-paused'}`}
          aria-label={playing ? t('Stop the slideshow') : t('Play the slideshow')}
          onClick={() => setPlaying(!playing)}
        >
          <span />
        </button>
      )}
    </>
  );
}

/**
 * Returns the index of the visible slide and a function that moves by a number of steps, wrapping around at the end. Also sets the ARIA
 * attributes of the slider.
 */
function useSlides(track: HTMLElement, count: number) {
  const place = (): number => Math.round(track.scrollLeft / Math.max(track.clientWidth, 1));
  const [current, setCurrent] = useState(place);
  const show = (step: number): void =>
    track.scrollTo({
      left: ((place() + step + count) % count) * track.clientWidth,
      behavior: reducedMotion() ? 'auto' : 'smooth',
    });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the position is read from the track
  useEffect(() => {
    const slider = track.closest('.s_slider');
    slider?.setAttribute('role', 'region');
    if (!slider?.hasAttribute('aria-label')) slider?.setAttribute('aria-label', t('Slides'));
    // Arrow keys need the focus.
    track.tabIndex = 0;
    for (const [index, slide] of Array.from(track.children).entries()) {
      slide.setAttribute('role', 'group');
      slide.setAttribute('aria-label', t('{number} of {count}', { number: index + 1, count }));
    }
    const mark = (): void => setCurrent(place());
    const byKey = (event: KeyboardEvent): void => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (step === undefined || event.target !== track) return;
      event.preventDefault();
      show(step);
    };
    track.addEventListener('scroll', mark, { passive: true });
    track.addEventListener('keydown', byKey);
    return () => {
      track.removeEventListener('scroll', mark);
      track.removeEventListener('keydown', byKey);
    };
  }, [track, count]);
  return { current, show };
}

/** Shows the next slide every `interval` milliseconds; pauses on hover or focus and while the page is hidden. */
function useAutomaticStep(track: HTMLElement, interval: number, show: (step: number) => void): void {
  const latest = useRef(show);
  latest.current = show;
  const isResting = useRef(false);
  useEffect(() => {
    const slider = track.closest('.s_slider');
    const ended = new AbortController();
    for (const [sign, rests] of RESTS) {
      const setResting = (): void => {
        isResting.current = rests;
      };
      slider?.addEventListener(sign, setResting, { signal: ended.signal });
    }
    return () => ended.abort();
  }, [track]);
  useEffect(() => {
    if (interval <= 0) return undefined;
    const timer = setInterval(() => {
      if (!isResting.current && !document.hidden) latest.current(1);
    }, interval);
    return () => clearInterval(timer);
  }, [interval]);
}

const RESTS = [
  ['pointerenter', true],
  ['focusin', true],
  ['pointerleave', false],
  ['focusout', false],
] as const;
