import { type ReactNode, useId } from 'react';

/** Props that connect a control to the label, help and error of its {@link Field}. */
export interface ControlProps {
  readonly id: string;
  readonly className: string;
  readonly 'aria-invalid': true | undefined;
  readonly 'aria-describedby': string | undefined;
}

interface Props {
  readonly label: ReactNode;
  /** Help text below. */
  readonly help?: ReactNode;
  /** Error text, from the server or the page. */
  readonly error?: string | undefined;
  /** Default `form-control`; `form-select` for a select. */
  readonly className?: string;
  /** Set if a page or a test needs a particular id. */
  readonly id?: string;
  readonly children: (control: ControlProps) => ReactNode;
}

/**
 * A labelled form field with its help and error, in the markup of the template `web.field`.
 *
 * ```tsx
 * <Field label={t('Your name')} error={save.fields.name}>{(control) => <input {...control} name="name" required />}</Field>
 * ```
 */
export function Field({ label, help, error, className = 'form-control', id: customId, children }: Props) {
  const generatedId = useId();
  const id = customId ?? generatedId;
  const described = [...(help ? [`${id}-help`] : []), ...(error ? [`${id}-error`] : [])].join(' ');
  return (
    <div className="mb-3">
      <label className="form-label" htmlFor={id}>
        {label}
      </label>
      {children({
        id,
        className: error ? `${className} is-invalid` : className,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': described || undefined,
      })}
      {help && (
        <p className="form-text" id={`${id}-help`}>
          {help}
        </p>
      )}
      {error && (
        <p className="invalid-feedback" id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
