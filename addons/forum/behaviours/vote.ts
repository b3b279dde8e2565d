import { pageLanguage, rpc, t } from '#core/browser';
import { formOf, once, press, refuse } from '../browser/says.ts';
import type { VoteReply } from '../models/forum-post-vote.ts';

/** The arrows beside a post (`[data-forum-vote]`) and the mark of an accepted answer: without a new page. */
export default function vote(box: HTMLElement): () => void {
  const sent = (event: SubmitEvent): void => {
    const form = formOf(event);
    const call = form?.dataset.call;
    if (!form || !call) return;
    event.preventDefault();
    void (form.matches('[data-forum-correct]') ? accept(form, call) : cast(box, form, call));
  };
  box.addEventListener('submit', sent);
  return () => box.removeEventListener('submit', sent);
}

async function cast(box: HTMLElement, form: HTMLFormElement, call: string): Promise<void> {
  const reply = await once(form, () => rpc<VoteReply>(call));
  if (!reply) return;
  if ('error' in reply) {
    if (reply.error === 'own_post') return refuse(() => t('Sorry, you cannot vote for your own posts'));
    return refuse(() => t('Sorry you must be logged to vote'));
  }
  const count = box.querySelector('[data-vote-count]');
  if (count) count.textContent = new Intl.NumberFormat(pageLanguage()).format(reply.vote_count);
  press(box.querySelector('form[data-call$="/upvote"] button'), reply.user_vote === 1);
  press(box.querySelector('form[data-call$="/downvote"] button'), reply.user_vote === -1);
}

async function accept(form: HTMLFormElement, call: string): Promise<void> {
  const reply = await once(form, () => rpc<boolean | { error: string }>(call));
  if (reply === null) return;
  if (typeof reply === 'object') return refuse(() => t('Sorry, anonymous users cannot choose correct answer.'));
  // A question has one accepted answer at most.
  for (const other of document.querySelectorAll('[data-forum-correct] button')) press(other, false);
  for (const other of document.querySelectorAll('.forum-post.is-correct')) other.classList.remove('is-correct');
  press(form.querySelector('button'), reply);
  form.closest('.forum-post')?.classList.toggle('is-correct', reply);
  for (const note of document.querySelectorAll<HTMLElement>('.forum-accepted'))
    note.hidden = !(reply && note.closest('.forum-post')?.contains(form));
}
