import { notify, RpcError, rpc } from '#core/browser';

/** Shows this week's matches of the chosen team at once; without scripts the form leads to the page of matches. */
export default function teamFilter(form: HTMLElement): undefined | (() => void) {
  const select = form.querySelector('select');
  const list = form.closest('[data-slot="week"]')?.querySelector<HTMLElement>('[data-slot="week-matches"]');
  const send = form.querySelector<HTMLElement>('[type="submit"]');
  if (!select || !list) return undefined;
  if (send) send.hidden = true;
  const show = async (): Promise<void> => {
    list.setAttribute('aria-busy', 'true');
    try {
      const teams =
        select.value === '' ? Array.from(select.options, ({ value }) => value).filter(Boolean) : [select.value];
      const html = await rpc<string>('/matchs/get_for_week', { teams: teams.map(Number) });
      const made = document.createRange().createContextualFragment(html).querySelector('[data-slot="week-matches"]');
      if (made) list.replaceChildren(...made.childNodes);
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      notify(error.message, 'alert');
    } finally {
      list.removeAttribute('aria-busy');
    }
  };
  const onChange = (): void => void show();
  select.addEventListener('change', onChange);
  return () => select.removeEventListener('change', onChange);
}
