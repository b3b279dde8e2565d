import { timeLeft } from '../browser/time-left.ts';

/**
 * Counts the time down, every second, in four gauges; at the end it says so once, by a text and by the event `countdown-end`. Where the moment has
 * passed already when the page is shown, it says so at once.
 */
export default function countdown(element: HTMLElement): undefined | (() => void) {
  const until = Date.parse(element.dataset.until ?? '');
  const gauges = Array.from(element.querySelectorAll<HTMLElement>('.club-gauge'));
  if (Number.isNaN(until) || gauges.length === 0) return undefined;
  let timer: ReturnType<typeof setInterval> | undefined;
  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
  };
  const tick = (): void => {
    const left = timeLeft(until - Date.now());
    for (const gauge of gauges) show(gauge, left[gauge.dataset.unit as keyof typeof left] ?? 0);
    if (until - Date.now() > 0) return;
    stop();
    finish(element);
  };
  timer = setInterval(tick, 1000);
  tick();
  return stop;
}

function show(gauge: HTMLElement, value: number): void {
  const number = gauge.querySelector('.club-gauge-number');
  if (number) number.textContent = String(value);
  const share = Math.min(100, (value / Number(gauge.dataset.full || 1)) * 100);
  gauge.querySelector('.club-gauge-value')?.setAttribute('stroke-dasharray', `${share} 100`);
}

/** The end, once. */
function finish(element: HTMLElement): void {
  if (element.dataset.ended !== undefined) return;
  element.dataset.ended = '';
  const done = element.querySelector<HTMLElement>('.club-countdown-done');
  if (done) done.hidden = false;
  element.dispatchEvent(new CustomEvent('countdown-end', { bubbles: true }));
}
