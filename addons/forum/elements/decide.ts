import { notify, ready, rpc, t } from '#core/browser';
import { formOf, once } from '../browser/says.ts';

/** A decision in a moderation queue: made without a new page, and the next post is at hand. */
export default function decide(item: HTMLElement): () => void {
  const sent = (event: SubmitEvent): void => {
    const form = formOf(event);
    const call = form?.dataset.call;
    if (!form || !call) return;
    event.preventDefault();
    void (async () => {
      const done = await once(form, () => rpc<boolean>(call));
      if (done === null) return;
      const next = item.nextElementSibling ?? item.previousElementSibling;
      item.remove();
      if (next instanceof HTMLElement) next.focus();
      await ready;
      notify(t('Done.'));
    })();
  };
  item.addEventListener('submit', sent);
  return () => item.removeEventListener('submit', sent);
}
