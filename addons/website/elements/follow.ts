import { notify, RpcError, ready, rpc, t } from '#core/browser';

/** What counts as an address: text, an at sign, text. Whether mail arrives there is found out by the mail that asks for confirmation. */
const ADDRESS = /.+@.+/;

interface Status {
  readonly is_follower: boolean;
  readonly is_user: boolean;
  readonly email: string | false;
}

/**
 * Follows a record by mail (`.js_follow` with `data-id`, `data-object` and `data-follow` on or off). Users follow as themselves; visitors
 * give an address, to which a mail is sent that they confirm.
 */
export default function follow(form: HTMLElement): () => void {
  const email = form.querySelector<HTMLInputElement>('.js_follow_email');
  const state = { known: false };
  const asked = rpc<Status>('/website_mail/is_follower', { model: form.dataset.object, id: Number(form.dataset.id) })
    .then((status) => {
      state.known = status.is_user;
      show(form, status.is_follower, status.email || '', state.known);
    })
    // What the page says of itself stands: nobody follows yet.
    .catch(() => show(form, form.dataset.follow === 'on', '', false));
  const pressed = (event: Event): void => {
    event.preventDefault();
    void asked.then(() => send(form, email, state.known));
  };
  form.addEventListener('submit', pressed);
  return () => form.removeEventListener('submit', pressed);
}

async function send(form: HTMLElement, email: HTMLInputElement | null, known: boolean): Promise<void> {
  const address = email?.value.trim() ?? '';
  const following = form.dataset.follow === 'on';
  // Whoever follows already is known, be it by a mail they have confirmed.
  const wrong = !known && !following && !ADDRESS.test(address);
  mark(form, email, wrong);
  if (wrong) {
    email?.focus();
    return;
  }
  await ready;
  form.setAttribute('aria-busy', 'true');
  try {
    const now = await rpc<boolean>('/website_mail/follow', {
      id: Number(form.dataset.id),
      object: form.dataset.object,
      message_is_follower: following ? 'on' : 'off',
      email: address || false,
    });
    show(form, now, address, known);
    form.querySelector('[data-outbox]')?.toggleAttribute('hidden', !now || known);
    if (now && !known) say(form, t('We have sent you a mail. Follow the link in it to confirm.'));
    else say(form, now ? t('You follow this now.') : t('You no longer follow this.'));
  } catch (error) {
    notify(error instanceof RpcError ? error.message : String(error), 'alert');
  } finally {
    form.removeAttribute('aria-busy');
  }
}

/** On or off: which button is there, and whether an address can be given. */
export function show(form: HTMLElement, following: boolean, email: string, known: boolean): void {
  form.dataset.follow = following ? 'on' : 'off';
  for (const one of form.querySelectorAll<HTMLElement>('.js_follow_btn')) one.hidden = following;
  for (const one of form.querySelectorAll<HTMLElement>('.js_unfollow_btn')) one.hidden = !following;
  const field = form.querySelector<HTMLInputElement>('.js_follow_email');
  if (!field) return;
  if (email) field.value = email;
  field.disabled = following || known;
}

function mark(form: HTMLElement, email: HTMLInputElement | null, wrong: boolean): void {
  form.classList.toggle('has-error', wrong);
  email?.classList.toggle('is-invalid', wrong);
  email?.setAttribute('aria-invalid', String(wrong));
}

function say(form: HTMLElement, text: string): void {
  const place = form.querySelector<HTMLElement>('[role="status"]');
  if (place) place.textContent = text;
}
