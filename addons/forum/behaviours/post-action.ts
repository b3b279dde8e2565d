import { confirmDialog, notify, pageLanguage, ready, rpc, t } from '#core/browser';
import { formOf, once, press } from '../browser/says.ts';

/** Forms of a post that need no new page: favourite, follow, flag, deleting a comment; and those that ask first. */
export default function postAction(form: HTMLElement): () => void {
  const sent = (event: SubmitEvent): void => {
    if (!formOf(event)) return;
    const act = actionOf(form);
    if (!act) return;
    event.preventDefault();
    void act();
  };
  form.addEventListener('submit', sent);
  return () => form.removeEventListener('submit', sent);
}

function actionOf(form: HTMLElement): (() => Promise<void>) | null {
  const { call, forumConfirm, forumFavourite, forumFollow, forumFlag, forumDelete } = form.dataset;
  if (forumFollow !== undefined) return () => follow(form);
  if (forumConfirm !== undefined) return () => ask(form, forumConfirm);
  if (!call) return null;
  if (forumFavourite !== undefined) return () => favourite(form, call);
  if (forumFlag !== undefined) return () => flag(form, call);
  if (forumDelete !== undefined) return () => remove(form, call);
  return null;
}

async function ask(form: HTMLElement, question: string): Promise<void> {
  await ready;
  const yes = form.querySelector('button')?.textContent?.trim();
  if (!(await confirmDialog(question, yes ? { yes } : {})) || !(form instanceof HTMLFormElement)) return;
  // Past the listener above, which asked already.
  form.submit();
}

async function favourite(form: HTMLElement, call: string): Promise<void> {
  const on = await once(form, () => rpc<boolean>(call));
  if (on === null) return;
  const button = form.querySelector('button');
  const count = form.querySelector('[data-count]');
  const before = Number((count?.textContent ?? '0').replace(/\D/g, ''));
  if (count) count.textContent = new Intl.NumberFormat(pageLanguage()).format(Math.max(0, before + (on ? 1 : -1)));
  press(button, on);
}

async function follow(form: HTMLElement): Promise<void> {
  const button = form.querySelector('button');
  const is = button?.getAttribute('aria-pressed') === 'true';
  const about = { id: Number(form.dataset.id), object: form.dataset.object, message_is_follower: is ? 'on' : 'off' };
  const now = await once(form, () => rpc<boolean>('/website_mail/follow', about));
  if (now === null) return;
  button?.setAttribute('aria-pressed', String(now));
  await ready;
  notify(now ? t('You follow this now.') : t('You no longer follow this.'));
}

async function flag(form: HTMLElement, call: string): Promise<void> {
  const reply = await once(form, () => rpc<{ success?: string; error?: string }>(call));
  if (!reply) return;
  await ready;
  if (reply.error === 'post_already_flagged') notify(t('Somebody has flagged this already.'), 'alert');
  else if (reply.error) notify(t('This post cannot be flagged.'), 'alert');
  else {
    notify(t('Thank you. A moderator will look at it.'));
    form.remove();
  }
}

async function remove(form: HTMLElement, call: string): Promise<void> {
  await ready;
  if (!(await confirmDialog(t('Delete this comment?'), { yes: t('Delete') }))) return;
  const done = await once(form, () => rpc<boolean>(call));
  if (done) form.closest('[data-forum-comment]')?.remove();
}
