import type { ComponentProps } from 'react';
import { useFormStatus } from 'react-dom';

/** Button that is busy while its form is submitted, or while `busy` is true. It keeps the focus and ignores further clicks. */
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
