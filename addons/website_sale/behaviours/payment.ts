import { notify, RpcError, rpc } from '#core/browser';

/** The ways to pay: the button of the chosen one is there; pressing it makes the transaction first, then sends the form of the provider. */
export default function payment(root: HTMLElement): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  const choose = (): void => {
    const chosen = root.querySelector<HTMLInputElement>('input[name=acquirer]:checked')?.value;
    for (const part of root.querySelectorAll<HTMLElement>('.oe_sale_acquirer_button'))
      part.toggleAttribute('data-hidden', part.dataset.id !== chosen);
  };
  root.addEventListener('change', choose, { signal });
  root.addEventListener(
    'submit',
    (event) => {
      const form = event.target as HTMLFormElement;
      if (!form.matches('.js_pay')) return;
      event.preventDefault();
      void pay(root, form);
    },
    { signal },
  );
  choose();
  return () => ended.abort();
}

async function pay(root: HTMLElement, form: HTMLFormElement): Promise<void> {
  const button = form.querySelector<HTMLButtonElement>('button[type=submit]');
  if (!button || button.disabled) return;
  button.disabled = true;
  button.setAttribute('aria-busy', 'true');
  try {
    const acquirer = form.closest<HTMLElement>('.oe_sale_acquirer_button')?.dataset.id;
    const key = form.querySelector<HTMLInputElement>('input[name=key]')?.value;
    const html = await rpc<string>(`/shop/payment/transaction/${acquirer}`, key ? { key } : {});
    const target = root.querySelector<HTMLElement>('.js_pay_target');
    target?.replaceChildren(document.createRange().createContextualFragment(html));
    const made = target?.querySelector('form');
    if (made) made.requestSubmit();
    else location.assign('/shop/payment/validate');
  } catch (error) {
    const message = error instanceof RpcError ? error.message : String(error);
    const place = root.querySelector<HTMLElement>('.js_pay_error');
    if (place) {
      place.textContent = message;
      place.hidden = false;
    } else notify(message, 'alert');
    button.disabled = false;
    button.removeAttribute('aria-busy');
  }
}
