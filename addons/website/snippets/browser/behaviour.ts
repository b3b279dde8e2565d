import { isEdited } from './editing.ts';

/** Returns whether an element must not animate: it is being edited, or the visitor prefers reduced motion. */
export function keepsStill(element: Element): boolean {
  return isEdited(element) || matchMedia('(prefers-reduced-motion: reduce)').matches;
}

/** Calls `onFrame` on every frame with the elapsed fraction of `ms`, from 0 to 1. Returns a function that cancels it. */
export function tween(ms: number, onFrame: (part: number) => void): () => void {
  let startTime: number | undefined;
  const step = (now: number): void => {
    startTime ??= now;
    const part = Math.min((now - startTime) / ms, 1);
    if (part < 1) frame = requestAnimationFrame(step);
    onFrame(part);
  };
  let frame = requestAnimationFrame(step);
  return () => cancelAnimationFrame(frame);
}

/** Adds a listener for several events. Returns a function that removes it. */
export function listen(target: EventTarget, names: readonly string[], listener: (event: Event) => void): () => void {
  const watched = new AbortController();
  for (const name of names) target.addEventListener(name, listener, { signal: watched.signal });
  return () => watched.abort();
}
