import { isEdited } from '../snippets/browser/editing.ts';

const DAY_MS = 86_400_000;

/** A part of the page (`.s_popup`) that opens over it after a while (`data-opt-after`, seconds), to the same person again after `data-opt-again` days. */
export default function popup(section: HTMLElement): undefined | (() => void) {
  const { optAfter = '5', optAgain = '7' } = section.dataset;
  const key = `popup ${section.textContent?.replace(/\s+/g, ' ').trim().slice(0, 60)}`;
  if (section.localName === 'dialog' || isEdited(section) || wasSeen(key, Number(optAgain))) return undefined;
  const timer = setTimeout(() => void open(section, key), Number(optAfter) * 1000);
  return () => clearTimeout(timer);
}

async function open(section: HTMLElement, key: string): Promise<void> {
  const { t } = await import('#core/browser');
  if (isEdited(section) || !section.isConnected || document.querySelector('dialog[open]')) return;
  const dialog = document.createElement('dialog');
  dialog.className = section.className;
  dialog.setAttribute('aria-label', section.querySelector('h1, h2, h3')?.textContent ?? t('Notice'));
  const close = document.createElement('button');
  Object.assign(close, { type: 'button', className: 'btn-close s_popup_close' });
  close.setAttribute('aria-label', t('Close'));
  close.addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => localStorage.setItem(key, String(Date.now())));
  dialog.append(close, ...section.children);
  section.replaceWith(dialog);
  dialog.showModal();
}

function wasSeen(key: string, days: number): boolean {
  return Date.now() - Number(localStorage.getItem(key) ?? 0) < days * DAY_MS;
}
