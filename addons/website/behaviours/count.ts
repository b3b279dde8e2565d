import { keepsStill, tween } from '../snippets/browser/behaviour.ts';
import { whenSeen } from '../snippets/browser/when-seen.ts';

/** Milliseconds until the figure is reached. */
export const COUNT_MS = 1200;

/** A figure (`.s_count`) that counts up once it is seen. Its text is the figure from the beginning, for whoever listens or wants less motion. */
export default function count(element: HTMLElement): undefined | (() => void) {
  const text = element.textContent ?? '';
  // Thousands may be parted; what else stands in it, as in 4.5 or 98 %, is no figure that counts.
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
