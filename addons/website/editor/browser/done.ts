import type { undoJust } from '@pergola/web';
import { notify, ready, rpc, t } from 'pergola/browser';
import { reloadPage } from '../../snippets/browser/scroll-hash.ts';
import { troubleOf } from './trouble.ts';

/** Session storage key of what to show after a reload: the key of a saved change, or `undone`. The editor bar looks for it. */
const KEY = 'website.done';
const UNDONE = 'undone';

/** Reloads the page, which then offers to undo a change that was just saved. */
export function reloadSaved(changeKey: string): void {
  sessionStorage.setItem(KEY, changeKey);
  reloadPage();
}

/** Shows the message that was kept for this page. */
export async function showDone(): Promise<void> {
  await ready;
  const done = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  if (done === UNDONE) notify(t('Undone.'));
  else if (done !== null)
    notify(t('Saved.'), 'status', {
      text: t('Undo'),
      run: () => void undo(done).catch((error: unknown) => notify(troubleOf(error).message, 'alert')),
    });
}

async function undo(changeKey: string): Promise<void> {
  const { refused } = await rpc<typeof undoJust>('/web/backend/undo', { changeKey });
  if (refused.length > 0) {
    notify(t('Not undone, because it has changed since: {what}', { what: refused.join(', ') }), 'alert');
    return;
  }
  sessionStorage.setItem(KEY, UNDONE);
  reloadPage();
}
