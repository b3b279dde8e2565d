import { notify, RpcError, ready, rpc, t } from '#core/browser';

/** What counts as an address: text, an at sign, text. Whether mail arrives there is found out by the mail that asks for confirmation. */
const ADDRESS = /.+@.+/;

interface Status {
  readonly is_subscriber: boolean;
  readonly email: string | false;
}

/**
 * Subscribes to a mailing list (`.js_subscribe` with `data-list-id`). Whoever is subscribed sees that they are; others give their address, and
 * are told what comes next.
 */
export default function subscribe(form: HTMLFormElement): () => void {
  const list = Number(form.dataset.listId);
  const own = { email: '' };
  rpc<Status>('/website_mass_mailing/is_subscriber', { list_id: list })
    .then(({ is_subscriber, email }) => {
      own.email = email || '';
      show(form, is_subscriber, own.email);
    })
    // The form works as it stands.
    .catch(() => {});
  const pressed = (event: Event): void => {
    event.preventDefault();
    void send(form, list);
  };
  form.addEventListener('submit', pressed);
  return () => form.removeEventListener('submit', pressed);
}

async function send(form: HTMLFormElement, list: number): Promise<void> {
  const field = form.querySelector<HTMLInputElement>('.js_subscribe_email');
  const email = field?.value.trim() ?? '';
  const isAddress = ADDRESS.test(email);
  mark(form, isAddress ? '' : t('Write an address with an @ in it.'));
  if (!isAddress) {
    field?.focus();
    return;
  }
  await ready;
  form.setAttribute('aria-busy', 'true');
  try {
    await rpc('/website_mass_mailing/subscribe', { list_id: list, email });
    const { is_subscriber } = await rpc<Status>('/website_mass_mailing/is_subscriber', { list_id: list });
    show(form, true, email);
    form.querySelector('[data-outbox]')?.toggleAttribute('hidden', is_subscriber);
    say(
      form,
      is_subscriber
        ? t('You are subscribed.')
        : t('Thanks! We have sent you a mail: follow the link in it to confirm your subscription.'),
    );
  } catch (error) {
    const text = error instanceof RpcError ? error.message : String(error);
    mark(form, text);
    notify(text, 'alert');
  } finally {
    form.removeAttribute('aria-busy');
  }
}

/** Subscribed or not: which button is there, and whether an address can be given. */
export function show(form: HTMLElement, subscribed: boolean, email: string): void {
  for (const one of form.querySelectorAll<HTMLElement>('.js_subscribe_btn')) one.hidden = subscribed;
  for (const one of form.querySelectorAll<HTMLElement>('.js_subscribed_btn')) one.hidden = !subscribed;
  form.dataset.subscribe = subscribed ? 'on' : 'off';
  const field = form.querySelector<HTMLInputElement>('.js_subscribe_email');
  if (!field) return;
  if (email && !field.value) field.value = email;
  field.disabled = subscribed;
}

function mark(form: HTMLElement, text: string): void {
  const field = form.querySelector<HTMLInputElement>('.js_subscribe_email');
  const place = form.querySelector<HTMLElement>('.js_subscribe_error');
  form.classList.toggle('has-error', text !== '');
  field?.classList.toggle('is-invalid', text !== '');
  field?.setAttribute('aria-invalid', String(text !== ''));
  if (!place) return;
  place.hidden = text === '';
  if (text) place.textContent = text;
}

function say(form: HTMLElement, text: string): void {
  const place = form.querySelector<HTMLElement>('.alert');
  if (!place) return;
  place.textContent = text;
  place.hidden = false;
}
