import { isEdited } from './editing.ts';

/** Whether nothing of an element moves by itself: it is being edited, or less motion is wanted. */
export function keepsStill(element: Element): boolean {
  return isEdited(element) || matchMedia('(prefers-reduced-motion: reduce)').matches;
}

/** Tells in every frame which part of the time (`ms`) has passed, from 0 to 1; answers how to end it. */
export function tween(ms: number, each: (part: number) => void): () => void {
  let begun: number | undefined;
  const step = (now: number): void => {
    begun ??= now;
    const part = Math.min((now - begun) / ms, 1);
    if (part < 1) frame = requestAnimationFrame(step);
    each(part);
  };
  let frame = requestAnimationFrame(step);
  return () => cancelAnimationFrame(frame);
}

/** Hears events of these names; answers how to stop. */
export function listen(target: EventTarget, names: readonly string[], heard: (event: Event) => void): () => void {
  const watched = new AbortController();
  for (const name of names) target.addEventListener(name, heard, { signal: watched.signal });
  return () => watched.abort();
}
