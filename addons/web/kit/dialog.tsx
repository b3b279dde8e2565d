import cross from 'bootstrap-icons/icons/x-lg.svg';
import { t } from 'pergola/browser';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { createPortal } from 'react-dom';
import { Icon } from './icon.tsx';

/** Initial focus: the content of the dialog rather than its close button. */
const firstField =
  '.dialog-body :is(input:not(.visually-hidden, [type=checkbox], [type=radio]), textarea, select, button), .dialog-foot [type=submit]';

/** Props of a dialog. */
export interface DialogProps {
  readonly title: string;
  readonly children: ReactNode;
  /** Buttons at the bottom. */
  readonly foot?: ReactNode;
  readonly wide?: boolean;
  readonly className?: string;
  /** Called on Escape and by the close button, and on a click outside if nothing would be lost (`light`). */
  onClose(): void;
  readonly light?: boolean;
  /** Makes the dialog a form: called on Enter and by its submit button. */
  onSubmit?(): void;
  /** `data-slot` of the dialog. */
  readonly slot?: string | undefined;
}

/** Modal dialog. Escape and the close button close it. The focus moves in and returns automatically. */
export function Dialog({
  title,
  children,
  foot,
  wide = false,
  className = '',
  onClose,
  light,
  onSubmit,
  slot,
}: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const element = dialog.current;
    const previousFocus = document.activeElement;
    if (element && !element.open) element.showModal();
    // The browser would focus the close button.
    element?.querySelector<HTMLElement>(firstField)?.focus();
    return () => {
      element?.close();
      if (previousFocus instanceof HTMLElement && previousFocus.isConnected)
        previousFocus.focus({ preventScroll: true });
    };
  }, []);
  const parts = (
    <>
      <div className="dialog-head">
        <h2 id={id}>{title}</h2>
        <button type="button" className="btn btn-sm btn-icon" aria-label={t('Close')} onClick={onClose}>
          <Icon of={cross} />
        </button>
      </div>
      <div className="dialog-body">{children}</div>
      {foot && <div className="dialog-foot">{foot}</div>}
    </>
  );
  const submit = (event: React.SubmitEvent): void => {
    event.preventDefault();
    // Keeps the event from a form around the component.
    event.stopPropagation();
    onSubmit?.();
  };
  // Rendered at the end of the page, because the component may be inside another form.
  return createPortal(
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same
    <dialog
      ref={dialog}
      className={`${className}${wide ? ' wide' : ''}`.trim()}
      aria-labelledby={id}
      data-slot={slot}
      onCancel={(event) => {
        if (event.target !== dialog.current) return;
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (light && event.target === dialog.current) onClose();
      }}
    >
      {onSubmit ? (
        <form noValidate onSubmit={submit}>
          {parts}
        </form>
      ) : (
        parts
      )}
    </dialog>,
    document.body,
  );
}
