import { type RefObject, useLayoutEffect, useState } from 'react';

/** Returns how many entries of a list fit into its first line; the wrapped ones are shown elsewhere. */
export function useFitting(list: RefObject<HTMLElement | null>, count: number): number {
  const [fitting, setFitting] = useState(count);
  // biome-ignore lint/correctness/useExhaustiveDependencies: measured again when the entries change
  useLayoutEffect(() => {
    const element = list.current;
    if (!element || typeof ResizeObserver === 'undefined') return;
    const measure = (): void => {
      const entries = [...element.children].filter((child): child is HTMLElement => child instanceof HTMLElement);
      const top = entries[0]?.offsetTop ?? 0;
      setFitting(entries.filter(({ offsetTop }) => offsetTop === top).length);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [count]);
  return fitting;
}
