import { isPlainClick } from 'pergola/browser';
import { listen } from './behaviour.ts';
import { isEdited } from './editing.ts';

/** Handles clicks without modifier keys, except on edited elements. Returns a function that removes the listener. */
export function onPlainClick(element: HTMLElement, clicked: (event: MouseEvent) => void): () => void {
  return listen(element, ['click'], (event) => {
    if (!(event instanceof MouseEvent) || !isPlainClick(event)) return;
    if (!isEdited(element)) clicked(event);
  });
}
