import { type ReactNode, useEffect, useId, useRef } from 'react';
import { t } from '#core/browser';
import { Icon } from './icon.tsx';

/** A window over the page. Escape and the cross close it; the focus goes in and comes back by itself. */
export function Dialog({
  title,
  onClose,
  children,
  foot,
  wide = false,
  slot,
}: {
  title: string;
  onClose(): void;
  children: ReactNode;
  foot?: ReactNode;
  wide?: boolean;
  slot?: string;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const element = dialog.current;
    const before = document.activeElement;
    if (element && !element.open) element.showModal();
    return () => {
      element?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      className={wide ? 'wide' : ''}
      aria-labelledby={id}
      data-slot={slot}
      onCancel={(event) => {
        if (event.target !== dialog.current) return;
        event.preventDefault();
        onClose();
      }}
    >
      <div className="dialog-head">
        <h2 id={id}>{title}</h2>
        <button type="button" className="btn btn-sm btn-icon" aria-label={t('Close')} onClick={onClose}>
          <Icon name="x-lg" />
        </button>
      </div>
      <div className="dialog-body">{children}</div>
      {foot && <div className="dialog-foot">{foot}</div>}
    </dialog>
  );
}
