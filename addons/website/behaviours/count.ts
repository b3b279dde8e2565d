import { isEdited } from '../snippets/browser/editing.ts';

/** Milliseconds until the figure is reached. */
export const COUNT_MS = 1200;

/** A figure (`.s_count`) that counts up once it is seen. Its text is the figure from the beginning, for whoever listens or wants less motion. */
export default function count(element: HTMLElement): undefined | (() => void) {
  const text = element.textContent ?? '';
  const figure = Number(text.replace(/[\s,.'’\u202f]/g, ''));
  if (isEdited(element) || !(figure > 0) || matchMedia('(prefers-reduced-motion: reduce)').matches) return undefined;
  const numbers = new Intl.NumberFormat(document.documentElement.lang || undefined);
  let frame = 0;
  const run = (start: number): void => {
    const step = (now: number): void => {
      const part = Math.min((now - start) / COUNT_MS, 1);
      element.textContent = part === 1 ? text : numbers.format(Math.round(figure * (1 - (1 - part) ** 3)));
      if (part < 1 && !isEdited(element)) frame = requestAnimationFrame(step);
    };
    frame = requestAnimationFrame(step);
  };
  const seen = new IntersectionObserver(([entry]) => {
    if (!entry?.isIntersecting) return;
    seen.disconnect();
    run(performance.now());
  });
  seen.observe(element);
  return () => {
    seen.disconnect();
    cancelAnimationFrame(frame);
    element.textContent = text;
  };
}
