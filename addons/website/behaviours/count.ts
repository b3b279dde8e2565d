import { keepsStill, tween } from '../snippets/browser/behaviour.ts';
import { whenSeen } from '../snippets/browser/when-seen.ts';

/** Duration of the animation in milliseconds. */
export const COUNT_MS = 1200;

/**
 * Number (`.s_count`) that counts up when it scrolls into view. The final number is in the markup from the start, for screen readers and
 * reduced motion.
 */
export default function count(element: HTMLElement): undefined | (() => void) {
  const text = element.textContent ?? '';
  // Thousands separators are allowed; other texts, such as 4.5 or 98 %, are not animated.
  const figure = /^\s*\d+(?:[\s,.'’]\d{3})*\s*$/.test(text) ? Number(text.replace(/\D/g, '')) : 0;
  if (keepsStill(element) || figure === 0) return undefined;
  const numbers = new Intl.NumberFormat(document.documentElement.lang || undefined, {
    useGrouping: /\d\D\d/.test(text),
  });
  const show = (part: number): void => {
    element.textContent = part === 1 ? text : numbers.format(Math.round(figure * (1 - (1 - part) ** 3)));
  };
  const run = async (): Promise<() => void> => {
    const end = tween(COUNT_MS, show);
    return () => {
      end();
      show(1);
    };
  };
  return whenSeen(element, run, '0px');
}
