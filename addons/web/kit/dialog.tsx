import cross from 'bootstrap-icons/icons/x-lg.svg';
import { t } from 'pergola/browser';
import { type ComponentProps, type ReactNode, useEffect, useId, useRef } from 'react';
import { createPortal } from 'react-dom';
import { BusyButton } from './busy-button.tsx';
import { Icon } from './icon.tsx';

/** Initial focus: the content of the dialog rather than its close button, which the browser would focus. */
const FIELD = '.dialog-body :is(input:not(.visually-hidden, [type=checkbox], [type=radio]), textarea, select)';
const BUTTON = '.dialog-body button, .dialog-foot [type=submit]';

interface ModalProps extends Omit<ComponentProps<'dialog'>, 'ref' | 'onClose'> {
  /** Called on Escape, and on a click outside if nothing would be lost (`light`). */
  onClose(): void;
  readonly light?: boolean | undefined;
}

/** Modal window without a frame. The focus moves in and returns automatically. */
export function Modal({ onClose, light, onClick, ...dialog }: ModalProps) {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = ref.current;
    const previousFocus = document.activeElement;
    if (element && !element.open) element.showModal();
    element?.querySelector<HTMLElement>(BUTTON)?.focus();
    return () => {
      element?.close();
      if (previousFocus instanceof HTMLElement && previousFocus.isConnected)
        previousFocus.focus({ preventScroll: true });
    };
  }, []);
  const hasField = useRef(false);
  // The fields of some dialogs load after they have opened.
  useEffect(() => {
    const field = hasField.current ? null : ref.current?.querySelector<HTMLElement>(FIELD);
    if (!field) return;
    hasField.current = true;
    field.focus();
  });
  // Rendered at the end of the page, because the component may be inside another form.
  return createPortal(
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same
    <dialog
      {...dialog}
      ref={ref}
      onCancel={(event) => {
        if (event.target !== ref.current) return;
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        onClick?.(event);
        if (light && event.target === ref.current) onClose();
      }}
    />,
    document.body,
  );
}

/** Props of a dialog. */
export interface DialogProps {
  readonly title: string;
  readonly children: ReactNode;
  /** Buttons at the bottom, before those of a form. */
  readonly foot?: ReactNode;
  /** Error message above the buttons. */
  readonly error?: string | null | undefined;
  readonly wide?: boolean;
  /** Whether fields are in two columns if there is room. */
  readonly columns?: boolean;
  readonly className?: string;
  readonly id?: string;
  /** Called on Escape and by the close button, and on a click outside if nothing would be lost (`light`). */
  onClose(): void;
  readonly light?: boolean;
  /** Makes the dialog a form with a cancel and a submit button: called on Enter and by the latter. */
  onSubmit?: (() => void) | undefined;
  /** Labels of these buttons. */
  readonly submit?: ReactNode;
  readonly cancel?: ReactNode;
  /** Whether the form can't be submitted. */
  readonly disabled?: boolean | undefined;
  /** Whether it is being submitted. */
  readonly busy?: boolean | undefined;
  /** `data-slot` of the dialog. */
  readonly slot?: string | undefined;
}

/** Modal dialog with a title, and buttons that stay in sight. Escape and the close button close it. */
export function Dialog({
  title,
  children,
  foot,
  error,
  wide = false,
  columns = false,
  className = '',
  id,
  onClose,
  light,
  onSubmit,
  submit = t('Save'),
  cancel = t('Cancel'),
  disabled,
  busy = false,
  slot,
}: DialogProps) {
  const titleId = useId();
  const frame = `dialog-frame${columns ? ' dialog-columns' : ''}`;
  const parts = (
    <>
      <div className="dialog-head">
        <h2 id={titleId}>{title}</h2>
        <button type="button" className="btn btn-sm btn-icon" aria-label={t('Close')} onClick={onClose}>
          <Icon of={cross} />
        </button>
      </div>
      <div className="dialog-body">{children}</div>
      {error && (
        <p className="dialog-error" role="alert">
          {error}
        </p>
      )}
      {(foot || onSubmit) && (
        <div className="dialog-foot">
          {foot}
          {onSubmit && (
            <>
              <button type="button" className="btn btn-outline-secondary" onClick={onClose}>
                {cancel}
              </button>
              <BusyButton busy={busy} disabled={disabled}>
                {submit}
              </BusyButton>
            </>
          )}
        </div>
      )}
    </>
  );
  const send = (event: React.SubmitEvent): void => {
    event.preventDefault();
    // Keeps the event from a form around the component.
    event.stopPropagation();
    if (!disabled && !busy) onSubmit?.();
  };
  return (
    <Modal
      id={id}
      className={`${className}${wide ? ' wide' : ''}`.trim()}
      aria-labelledby={titleId}
      data-slot={slot}
      light={light}
      onClose={onClose}
    >
      {onSubmit ? (
        <form className={frame} noValidate onSubmit={send}>
          {parts}
        </form>
      ) : (
        <div className={frame}>{parts}</div>
      )}
    </Modal>
  );
}
