import './scroll-animation.css';
import { keepsStill, listen } from '../snippets/browser/behaviour.ts';

/** Milliseconds between two looks while scrolling; the part of an element, and the least pixels of it, that have come into view. */
const THROTTLE = 100;
const OFFSET_RATIO = 0.3;
const OFFSET_MIN = 10;

/** Pixels of an element that have to be in view before it comes in. */
export function offsetOf(height: number): number {
  return Math.max(height * OFFSET_RATIO, OFFSET_MIN);
}

/**
 * An element (`.animate`, with how in a second class) that comes in when it is scrolled to. What is in view when the page opens stays as it
 * is, so nothing is hidden that was seen.
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
  const look = (): void => {
    timer = undefined;
    last = Date.now();
    if (isReached(element)) end();
  };
  const soon = (): void => {
    timer ??= setTimeout(look, Math.max(THROTTLE - (Date.now() - last), 0));
  };
  const stop = listen(window, ['scroll', 'resize'], soon);
  element.addEventListener('focusin', end, { once: true });
  return end;
}

function isReached(element: HTMLElement): boolean {
  const { top, height } = element.getBoundingClientRect();
  const atEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 1;
  return atEnd || top + offsetOf(height) <= innerHeight;
}
