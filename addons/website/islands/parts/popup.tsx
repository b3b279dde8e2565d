import { Modal } from '@pergola/web/kit-dialog';
import { t } from 'pergola/browser';
import { useLayoutEffect, useRef } from 'react';
import { showBeside } from './show-beside.ts';

/** Shows a section as a popup; `closed` is called when the visitor closes it. */
export async function showPopup(section: HTMLElement, closed: () => void): Promise<void> {
  await showBeside(document.body, '', (end) => (
    <Popup
      section={section}
      onClose={() => {
        closed();
        end();
      }}
    />
  ));
}

/** Moves the section's own elements into the dialog, with their live islands and behaviours. */
function Popup({ section, onClose }: { section: HTMLElement; onClose(): void }) {
  const content = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    content.current?.append(...section.children);
  }, [section]);
  return (
    <Modal
      className={section.className}
      aria-label={section.querySelector('h1, h2, h3')?.textContent ?? t('Notice')}
      onClose={onClose}
    >
      <button type="button" className="btn-close s_popup_close" aria-label={t('Close')} onClick={onClose} />
      <div ref={content} />
    </Modal>
  );
}
