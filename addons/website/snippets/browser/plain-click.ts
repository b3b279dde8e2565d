import { listen } from './behaviour.ts';
import { isEdited } from './editing.ts';

/** Hears clicks that are not meant for the browser (a new tab, a download) nor for who edits the element; answers how to stop. */
export function onPlainClick(element: HTMLElement, clicked: (event: MouseEvent) => void): () => void {
  return listen(element, ['click'], (event) => {
    if (!(event instanceof MouseEvent) || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (!isEdited(element)) clicked(event);
  });
}
