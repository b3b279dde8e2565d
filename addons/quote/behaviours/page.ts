import { notify, postForm, RpcError, ready, rpc, t } from '#core/browser';
import { openAcceptance } from '../browser/acceptance.ts';

/**
 * The page of a quotation (`.o_website_quote`): quantities that change in place, the dialog to accept it, and word to the server that it was
 * looked at. Everything but drawing works without it too.
 */
export default function quotation(page: HTMLElement): () => void {
  const pressed = (event: Event): void => {
    const target = event.target instanceof Element ? event.target : null;
    const button = target?.closest<HTMLElement>('.js_update_line_json');
    if (button) {
      event.preventDefault();
      void changeLine(page, button);
    }
    if (target?.closest('[data-accept]')) {
      event.preventDefault();
      void openAcceptance(page);
    }
    if (target?.closest('[data-decline]')) {
      const details = page.querySelector<HTMLDetailsElement>('#decline');
      if (details) details.open = true;
    }
  };
  page.addEventListener('click', pressed);
  const { viewed } = page.dataset;
  if (viewed) void ready.then(() => postForm(viewed, {})).catch(() => {});
  return () => page.removeEventListener('click', pressed);
}

/** One more, one less, or none: the answer's texts first, then the whole table as the server has it now. */
async function changeLine(page: HTMLElement, button: HTMLElement): Promise<void> {
  if (page.getAttribute('aria-busy') === 'true') return;
  const row = button.closest<HTMLElement>('[data-line-id]');
  await ready;
  page.setAttribute('aria-busy', 'true');
  try {
    const answer = await rpc<readonly [string, string] | false>('/quote/update_line', {
      order_id: Number(page.dataset.orderId),
      token: page.dataset.token,
      line_id: Number(row?.dataset.lineId),
      remove: button.dataset.remove === '1',
      unlink: button.dataset.unlink === '1',
    });
    if (!answer) {
      location.reload();
      return;
    }
    const [quantity, total] = answer;
    const shown = row?.querySelector('.js_quantity');
    if (shown) shown.textContent = quantity;
    for (const one of page.querySelectorAll('.js_total')) one.textContent = total;
    await refresh(page, row?.dataset.lineId ?? '', button.dataset.remove === '1');
  } catch (error) {
    notify(error instanceof RpcError ? error.message : t('This did not work. Please try again.'), 'alert');
  } finally {
    page.removeAttribute('aria-busy');
  }
}

/** What is signed must be what is seen: sums, taxes and the version of the order are read again. */
async function refresh(page: HTMLElement, line: string, less: boolean): Promise<void> {
  const answer = await fetch(page.dataset.path ?? location.pathname, { headers: { Accept: 'text/html' } });
  if (!answer.ok) {
    location.reload();
    return;
  }
  const fresh = new DOMParser()
    .parseFromString(await answer.text(), 'text/html')
    .querySelector<HTMLElement>('.o_website_quote');
  const table = fresh?.querySelector('#pricing');
  if (!fresh || !table) {
    location.reload();
    return;
  }
  page.dataset.version = fresh.dataset.version;
  page.dataset.total = fresh.dataset.total;
  for (const part of ['#pricing', '[data-slot=quote-total]', '#modelaccept p', '[data-slot=quote-accept] > p']) {
    const [now, next] = [page.querySelector(part), fresh.querySelector(part)];
    if (now && next) now.replaceWith(next);
  }
  const buttons = [
    ...page.querySelectorAll<HTMLButtonElement>(`[data-line-id="${line}"] .js_update_line_json:not([data-unlink])`),
  ];
  const same = buttons.find((one) => (one.dataset.remove === '1') === less && !one.disabled);
  (same ?? buttons.find((one) => !one.disabled))?.focus();
}
