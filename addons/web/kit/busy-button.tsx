import type { ComponentProps } from 'react';
import { useFormStatus } from 'react-dom';

/** A button that is busy while the form it stands in is sent, or as long as `busy` says. It keeps the focus, and a second press does nothing. */
export function BusyButton({
  busy,
  type = 'submit',
  className = 'btn btn-primary',
  children,
  onClick,
  ...rest
}: ComponentProps<'button'> & { readonly busy?: boolean }) {
  const { pending } = useFormStatus();
  const isBusy = busy ?? pending;
  return (
    <button
      {...rest}
      type={type}
      className={className}
      aria-disabled={isBusy || undefined}
      aria-busy={isBusy || undefined}
      onClick={(event) => {
        if (isBusy) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {isBusy && <span className="spinner-border me-1" aria-hidden="true" />}
      {children}
    </button>
  );
}
