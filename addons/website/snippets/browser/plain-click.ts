import { listen } from './behaviour.ts';
import { isEdited } from './editing.ts';

/**
 * Handles clicks without modifier keys, except on edited elements. Returns a function that removes the listener. The keys are those of
 * `isPlainClick` of `pergola/browser`, which behaviours don't load for that alone.
 */
export function onPlainClick(element: HTMLElement, clicked: (event: MouseEvent) => void): () => void {
  return listen(element, ['click'], (event) => {
    if (!(event instanceof MouseEvent) || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (!isEdited(element)) clicked(event);
  });
}
