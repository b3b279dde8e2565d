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

function start(element: HTMLElement, track: HTMLElement): () => void {
  const listening = new AbortController();
  const on = { signal: listening.signal };
  const count = track.children.length;
  const interval = Number(element.dataset.optInterval ?? INTERVAL);
  let playing = interval > 0 && !reducedMotion();
  let resting = false;

  const current = (): number => Math.round(track.scrollLeft / Math.max(track.clientWidth, 1));
  const show = (index: number): void =>
    track.scrollTo({
      left: ((index + count) % count) * track.clientWidth,
      behavior: reducedMotion() ? 'auto' : 'smooth',
    });

  const dots = Array.from(track.children, (slide, index) => {
    slide.setAttribute('role', 'group');
    slide.setAttribute('aria-label', t('{number} of {count}', { number: index + 1, count }));
    return button('slider-dot', t('Slide {number}', { number: index + 1 }), () => show(index), h('span'));
  });
  const pause = button('slider-button slider-pause', '', () => play(!playing), h('span'));
  const controls = h(
    'div',
    { class: 'slider-controls' },
    button('slider-button slider-previous', t('Previous slide'), () => show(current() - 1), h('span')),
    h('div', { class: 'slider-dots' }, ...dots),
    button('slider-button slider-next', t('Next slide'), () => show(current() + 1), h('span')),
    interval > 0 ? pause : null,
  );
  const mark = (): void => {
    for (const [index, dot] of dots.entries()) dot.setAttribute('aria-current', String(index === current()));
  };
  const play = (on: boolean): void => {
    playing = on;
    pause.classList.toggle('is-paused', !on);
    pause.setAttribute('aria-label', on ? t('Stop the slides') : t('Let the slides run'));
    track.setAttribute('aria-live', on ? 'off' : 'polite');
  };

  element.setAttribute('role', 'region');
  if (!element.hasAttribute('aria-label')) element.setAttribute('aria-label', t('Slides'));
  track.tabIndex = 0;
  track.addEventListener('scroll', mark, { ...on, passive: true });
  track.addEventListener(
    'keydown',
    (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (step === undefined || event.target !== track) return;
      event.preventDefault();
      show(current() + step);
    },
    on,
  );
  const rest = (value: boolean) => (): void => {
    resting = value;
  };
  for (const sign of ['pointerenter', 'focusin'] as const) element.addEventListener(sign, rest(true), on);
  for (const sign of ['pointerleave', 'focusout'] as const) element.addEventListener(sign, rest(false), on);
  const timer = interval > 0 ? setInterval(step, interval) : undefined;
  function step(): void {
    if (playing && !resting && !document.hidden && !isEdited(element)) show(current() + 1);
  }
  play(playing);
  mark();
  element.append(controls);
  return () => {
    listening.abort();
    clearInterval(timer);
    controls.remove();
  };
}
