import { type FormEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { createPortal } from 'react-dom';
import { t } from '#core/browser';
import { Icon } from './icon.tsx';

const firstField =
  '.dialog-body :is(input:not(.visually-hidden, [type=checkbox], [type=radio]), textarea, select, button), .dialog-foot [type=submit]';

export interface DialogProps {
  readonly title: string;
  readonly children: ReactNode;
  /** Buttons at the bottom. */
  readonly foot?: ReactNode;
  readonly wide?: boolean;
  /** Escape, the cross, and a click outside. */
  onClose(): void;
  /** Makes the dialog a form: Enter and its submit button come here. */
  onSubmit?(): void;
}

/** A window over the page; the focus stays in it, and goes back where it was. */
export function Dialog({ title, children, foot, wide = false, onClose, onSubmit }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = element.current;
    const before = document.activeElement;
    dialog?.showModal();
    // The browser would take the cross; what the window is about comes first.
    dialog?.querySelector<HTMLElement>(firstField)?.focus();
    return () => {
      dialog?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    onSubmit?.();
  };
  // At the end of the page: where it is asked for may be within a form of its own.
  return createPortal(
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same
    <dialog
      ref={element}
      className={`ed-dialog${wide ? ' wide' : ''}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === element.current) onClose();
      }}
    >
      <form noValidate onSubmit={submit}>
        <div className="dialog-head">
          <h2 id={id}>{title}</h2>
          <button type="button" className="ed-close" aria-label={t('Close')} onClick={onClose}>
            <Icon name="x-lg" />
          </button>
        </div>
        <div className="dialog-body">{children}</div>
        {foot ? <div className="dialog-foot">{foot}</div> : null}
      </form>
    </dialog>,
    document.body,
  );
}
