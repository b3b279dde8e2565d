import { isEdited } from './editing.ts';

/** Hears clicks that are not meant for the browser (a new tab, a download) nor for who edits the element; answers how to stop. */
export function onPlainClick(element: HTMLElement, clicked: (event: MouseEvent) => void): () => void {
  const listener = (event: MouseEvent): void => {
    if (!event.ctrlKey && !event.metaKey && !event.shiftKey && !isEdited(element)) clicked(event);
  };
  element.addEventListener('click', listener);
  return () => element.removeEventListener('click', listener);
}
