import './scroll-animation.css';
import { keepsStill, listen } from '../snippets/browser/behaviour.ts';

/** Minimum milliseconds between checks while scrolling; share of an element, and minimum pixels, that must be visible. */
const THROTTLE = 100;
const OFFSET_RATIO = 0.3;
const OFFSET_MIN = 10;

/** Visible pixels of an element at which its animation starts. */
export function offsetOf(height: number): number {
  return Math.max(height * OFFSET_RATIO, OFFSET_MIN);
}

/**
 * Element (`.animate`, with the effect in a second class) that animates when it scrolls into view. Elements visible on page load are not
 * animated, so nothing disappears.
 */
export default function scrollAnimation(element: HTMLElement): undefined | (() => void) {
  if (keepsStill(element) || isReached(element)) return undefined;
  element.classList.add('animate-wait');
  let last = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = (): void => {
    stop();
    clearTimeout(timer);
    element.classList.remove('animate-wait');
  };
  const check = (): void => {
    timer = undefined;
    last = Date.now();
    if (isReached(element)) end();
  };
  const schedule = (): void => {
    timer ??= setTimeout(check, Math.max(THROTTLE - (Date.now() - last), 0));
  };
  const stop = listen(window, ['scroll', 'resize'], schedule);
  element.addEventListener('focusin', end, { once: true });
  return end;
}

function isReached(element: HTMLElement): boolean {
  const { top, height } = element.getBoundingClientRect();
  const atEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 1;
  return atEnd || top + offsetOf(height) <= innerHeight;
}
