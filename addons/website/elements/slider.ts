import { ready, reducedMotion, t } from '#core/browser';
import { button, h } from '../snippets/browser/dom.ts';
import { isEdited } from '../snippets/browser/editing.ts';

/** Milliseconds a slide stays, unless `data-opt-interval` says otherwise; 0 stops it. */
export const INTERVAL = 10_000;

/**
 * A row of slides (`.s_slider > .slides`) that is scrolled and snaps; it works by swiping and scrolling alone. This adds buttons, arrow keys
 * and the automatic step, which rests while the pointer or the focus is in it, while the page is hidden, and for those who want less motion.
 */
export default function slider(element: HTMLElement): undefined | (() => void) {
  const track = element.querySelector<HTMLElement>('.slides');
  if (!track || track.children.length < 2 || isEdited(element)) return undefined;
  let end: (() => void) | null = null;
  let gone = false;
  void ready.then(() => {
    if (!gone) end = start(element, track);
  });
  return () => {
    gone = true;
    end?.();
  };
}

/** Which slide is shown, and how to show another; after the last one comes the first. */
interface Slides {
  readonly count: number;
  current(): number;
  show(index: number): void;
}

function slidesOf(track: HTMLElement): Slides {
  const count = track.children.length;
  return {
    count,
    current: () => Math.round(track.scrollLeft / Math.max(track.clientWidth, 1)),
    show: (index) =>
      track.scrollTo({
        left: ((index + count) % count) * track.clientWidth,
        behavior: reducedMotion() ? 'auto' : 'smooth',
      }),
  };
}

function start(element: HTMLElement, track: HTMLElement): () => void {
  const listening = new AbortController();
  const on = { signal: listening.signal };
  const slides = slidesOf(track);
  const interval = Number(element.dataset.optInterval ?? INTERVAL);
  let playing = interval > 0 && !reducedMotion();
  let resting = false;
  const play = (value: boolean): void => {
    playing = value;
    controls.play(value);
    track.setAttribute('aria-live', value ? 'off' : 'polite');
  };
  const controls = makeControls(slides, interval > 0 ? () => play(!playing) : null);
  describe(element, track, slides.count);
  track.addEventListener('scroll', controls.mark, { ...on, passive: true });
  track.addEventListener('keydown', (event) => byKey(event, track, slides), on);
  const rest = (value: boolean) => (): void => {
    resting = value;
  };
  for (const sign of ['pointerenter', 'focusin'] as const) element.addEventListener(sign, rest(true), on);
  for (const sign of ['pointerleave', 'focusout'] as const) element.addEventListener(sign, rest(false), on);
  const step = (): void => {
    if (playing && !resting && !document.hidden && !isEdited(element)) slides.show(slides.current() + 1);
  };
  const timer = interval > 0 ? setInterval(step, interval) : undefined;
  play(playing);
  controls.mark();
  element.append(controls.element);
  return () => {
    listening.abort();
    clearInterval(timer);
    controls.element.remove();
  };
}

/** Says to screen readers what this is; arrow keys need the focus. */
function describe(element: HTMLElement, track: HTMLElement, count: number): void {
  element.setAttribute('role', 'region');
  if (!element.hasAttribute('aria-label')) element.setAttribute('aria-label', t('Slides'));
  track.tabIndex = 0;
  for (const [index, slide] of Array.from(track.children).entries()) {
    slide.setAttribute('role', 'group');
    slide.setAttribute('aria-label', t('{number} of {count}', { number: index + 1, count }));
  }
}

function byKey(event: KeyboardEvent, track: HTMLElement, slides: Slides): void {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (step === undefined || event.target !== track) return;
  event.preventDefault();
  slides.show(slides.current() + step);
}

interface Controls {
  readonly element: HTMLElement;
  /** Shows which slide is there. */
  mark(): void;
  /** Shows whether the slides run. */
  play(on: boolean): void;
}

/** Buttons and dots; `toggle` stops the slides or lets them run, null where they never do by themselves. */
function makeControls(slides: Slides, toggle: (() => void) | null): Controls {
  const { count, current, show } = slides;
  const dots = Array.from({ length: count }, (_, index) =>
    button('slider-dot', t('Slide {number}', { number: index + 1 }), () => show(index), h('span')),
  );
  const pause = toggle ? button('slider-button slider-pause', '', toggle, h('span')) : null;
  const element = h(
    'div',
    { class: 'slider-controls' },
    button('slider-button slider-previous', t('Previous slide'), () => show(current() - 1), h('span')),
    h('div', { class: 'slider-dots' }, ...dots),
    button('slider-button slider-next', t('Next slide'), () => show(current() + 1), h('span')),
    pause,
  );
  return {
    element,
    mark() {
      for (const [index, dot] of dots.entries()) dot.setAttribute('aria-current', String(index === current()));
    },
    play(on) {
      pause?.classList.toggle('is-paused', !on);
      pause?.setAttribute('aria-label', on ? t('Stop the slides') : t('Let the slides run'));
    },
  };
}
