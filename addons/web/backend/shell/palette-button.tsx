import { t } from 'pergola/browser';
import { lazy, Suspense, useState } from 'react';
import { useWindowEvent } from '../../kit/use-window-event.ts';
import { Icon } from '../lib/icon.tsx';

const Palette = lazy(() => import('./palette.tsx'));

/** Opens the command palette by click, or by Ctrl+K (⌘K) from anywhere. */
export function PaletteButton() {
  const [isOpen, setOpen] = useState(false);
  useWindowEvent('keydown', (event) => {
    if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    event.preventDefault();
    setOpen(!isOpen);
  });
  return (
    <>
      <button
        type="button"
        className="btn backend-find"
        data-slot="palette-button"
        aria-keyshortcuts="Control+K"
        onClick={() => setOpen(true)}
      >
        <Icon name="search" /> <span className="backend-find-text">{t('Search')}</span>{' '}
        <kbd className="backend-find-key">Ctrl K</kbd>
      </button>
      {isOpen && (
        <Suspense>
          <Palette onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
