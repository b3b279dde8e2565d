import { type ReactNode, useId } from 'react';

/** What a control of a {@link Field} gets, so that labels, help and errors belong to it. */
export interface ControlProps {
  readonly id: string;
  readonly className: string;
  readonly 'aria-invalid': true | undefined;
  readonly 'aria-describedby': string | undefined;
}

interface Props {
  readonly label: ReactNode;
  /** A line below. */
  readonly help?: ReactNode;
  /** What is wrong with it; the server and the page say it alike. */
  readonly error?: string | undefined;
  /** Default `form-control`; `form-select` for a select. */
  readonly className?: string;
  /** Where a page or a test asks for a certain one. */
  readonly id?: string;
  readonly children: (control: ControlProps) => ReactNode;
}

/**
 * A labelled field of a form with its help and what is wrong with it, as the template `web.field` writes it.
 *
 * ```tsx
 * <Field label={t('Your name')} error={save.fields.name}>{(control) => <input {...control} name="name" required />}</Field>
 * ```
 */
export function Field({ label, help, error, className = 'form-control', id: given, children }: Props) {
  const made = useId();
  const id = given ?? made;
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
