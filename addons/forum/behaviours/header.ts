import { ready, rpc, t } from '#core/browser';
import { formOf, once } from '../browser/says.ts';

/** Above the pages of a forum: news that are put away, and the mail that confirms an address. */
export default function header(element: HTMLElement): () => void {
  const sent = (event: SubmitEvent): void => {
    const form = formOf(event);
    if (!form) return;
    event.preventDefault();
    const { forumNote, forumValidation } = element.dataset;
    if (forumNote !== undefined) void putAway(element, form, Number(forumNote));
    else if (forumValidation !== undefined) void sendMail(element, form);
    else void close(element, form);
  };
  element.addEventListener('submit', sent);
  return () => element.removeEventListener('submit', sent);
}

async function putAway(note: HTMLElement, form: HTMLFormElement, id: number): Promise<void> {
  if (!(await once(form, () => rpc('/forum/notification_read', { notification_id: id })))) return;
  note.remove();
  const badge = document.querySelector('[data-unread]');
  const left = Number((badge?.textContent ?? '').replace(/\D/g, '')) - 1;
  if (left > 0 && badge) badge.textContent = String(left);
  else badge?.remove();
}

async function sendMail(banner: HTMLElement, form: HTMLFormElement): Promise<void> {
  const forum_id = Number(new FormData(form).get('forum_id'));
  if (!(await once(form, () => rpc('/forum/send_validation_email', { forum_id })))) return;
  await ready;
  banner.classList.replace('alert-warning', 'alert-info');
  banner.setAttribute('role', 'status');
  form.querySelector('button')?.remove();
  form.querySelector('[data-outbox]')?.removeAttribute('hidden');
  const text = form.querySelector('p');
  if (text) {
    text.textContent = t(
      'A mail is on its way to you. Open its link to confirm your address; it is good for 24 hours.',
    );
  }
}

async function close(banner: HTMLElement, form: HTMLFormElement): Promise<void> {
  if (await once(form, () => rpc('/forum/validate_email/close'))) banner.remove();
}
