import { karmaText, refuse } from '../browser/says.ts';

/** Something that takes more karma than its reader has (`[data-karma]`): says so, and does nothing. */
export default function karma(element: HTMLElement): () => void {
  const pressed = (event: Event): void => {
    if (!element.dataset.karma) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    void refuse(() => karmaText(element.dataset.karma ?? ''));
  };
  element.addEventListener('click', pressed, { capture: true });
  return () => element.removeEventListener('click', pressed, { capture: true });
}
