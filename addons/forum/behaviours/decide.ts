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
      // The next page of the queue, or that nothing is left.
      if (!(next instanceof HTMLElement)) return location.reload();
      item.remove();
      next.focus();
      const count = document.querySelector('[aria-current] .forum-tag-count');
      if (count && /^\d+$/.test(count.textContent ?? '')) count.textContent = String(Number(count.textContent) - 1);
      await ready;
      notify(t('Done.'));
    })();
  };
  item.addEventListener('submit', sent);
  return () => item.removeEventListener('submit', sent);
}
