import { isEdited } from '../snippets/browser/editing.ts';

const DAY_MS = 86_400_000;

/** Popup section (`.s_popup`) that opens after `data-opt-after` seconds, and again for the same visitor after `data-opt-again` days. */
export default function popup(section: HTMLElement): undefined | (() => void) {
  const { optAfter = '5', optAgain = '7' } = section.dataset;
  const key = `popup ${section.textContent?.replace(/\s+/g, ' ').trim().slice(0, 60)}`;
  const seen = Number(localStorage.getItem(key) ?? 0);
  if (isEdited(section) || Date.now() - seen < Number(optAgain) * DAY_MS) return undefined;
  const open = async (): Promise<void> => {
    const { showPopup } = await import('../islands/parts/popup.tsx');
    if (isEdited(section) || !section.isConnected || document.querySelector('dialog[open]')) return;
    await showPopup(section, () => localStorage.setItem(key, String(Date.now())));
  };
  const timer = setTimeout(() => void open(), Number(optAfter) * 1000);
  return () => clearTimeout(timer);
}
