import { type ComponentProps, type ReactNode, useId } from 'react';

/** Props that connect a control to the label, help and error of its {@link Field}. */
export interface ControlProps {
  readonly id: string;
  readonly className: string;
  readonly 'aria-invalid': true | undefined;
  readonly 'aria-describedby': string | undefined;
}

interface Labelled {
  readonly label: ReactNode;
  /** Help text below. */
  readonly help?: ReactNode;
  /** Error text, from the server or the page. */
  readonly error?: string | null | false | undefined;
  /** CSS class of the control. Default `form-control`; `form-select` for a select. */
  readonly className?: string | undefined;
  /** CSS class of the whole field. */
  readonly wrap?: string | undefined;
  /** CSS class of the label: `visually-hidden` if the control speaks for itself. */
  readonly labelClass?: string | undefined;
  /** Set if a page or a test needs a particular id. */
  readonly id?: string | undefined;
}

/**
 * A labelled form field with its help and error, in the markup of the template `web.field`.
 *
 * ```tsx
 * <Field label={t('Your name')} error={save.fields.name}>{(control) => <input {...control} name="name" required />}</Field>
 * ```
 */
export function Field({
  label,
  help,
  error,
  className = 'form-control',
  wrap = 'mb-3',
  labelClass = 'form-label',
  id: customId,
  children,
}: Labelled & { readonly children: (control: ControlProps) => ReactNode }) {
  const generatedId = useId();
  const id = customId ?? generatedId;
  const described = [...(help ? [`${id}-help`] : []), ...(error ? [`${id}-error`] : [])].join(' ');
  return (
    <div className={wrap ? (error ? `${wrap} has-error` : wrap) : undefined} data-field={id}>
      <label className={labelClass} htmlFor={id} id={`${id}-label`}>
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
        <p className="invalid-feedback d-block mb-0" id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

type ControlTag = 'input' | 'textarea' | 'select';
type ControlElement<T extends ControlTag> = Labelled & Omit<ComponentProps<T>, keyof Labelled | 'onChange'>;

/** Separates the props of a field from those of its control. */
function split<P extends Labelled>({ label, help, error, className, wrap, labelClass, id, ...control }: P) {
  return { field: { label, help, error, className, wrap, labelClass, id }, control };
}

const reporting =
  (onChange?: (value: string) => void) =>
  ({ target }: { readonly target: { readonly value: string } }): void =>
    onChange?.(target.value);

/** A {@link Field} with a text input. */
export function TextField({
  onChange,
  ...props
}: ControlElement<'input'> & { readonly onChange?: (value: string) => void }) {
  const { field, control } = split(props);
  return (
    <Field {...field}>
      {(attributes) => <input type="text" {...attributes} {...control} onChange={reporting(onChange)} />}
    </Field>
  );
}

/** A {@link Field} with several lines of text. */
export function TextArea({
  onChange,
  ...props
}: ControlElement<'textarea'> & { readonly onChange?: (value: string) => void }) {
  const { field, control } = split(props);
  return (
    <Field {...field}>{(attributes) => <textarea {...attributes} {...control} onChange={reporting(onChange)} />}</Field>
  );
}

/** An option of a {@link SelectField}. */
export interface SelectChoice<V extends string = string> {
  readonly value: V;
  readonly label: string;
}

/** A {@link Field} with a select. Options come from `choices`, after those among the children. */
export function SelectField<V extends string>({
  choices = [],
  onChange,
  className = 'form-select',
  children,
  ...props
}: Omit<ControlElement<'select'>, 'value'> & {
  readonly value?: string | undefined;
  readonly choices?: readonly SelectChoice<V>[];
  readonly onChange?: (value: V) => void;
}) {
  const { field, control } = split({ ...props, className });
  return (
    <Field {...field}>
      {(attributes) => (
        <select {...attributes} {...control} onChange={reporting((value) => onChange?.(value as V))}>
          {children}
          {choices.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** A checkbox or radio button inside its label. */
export function Check({
  label,
  help,
  wrap = 'form-check',
  className = 'form-check-input',
  title,
  onChange,
  ...input
}: Omit<ComponentProps<'input'>, 'onChange'> & {
  readonly label?: ReactNode;
  /** Help text below. */
  readonly help?: ReactNode;
  /** CSS class of the whole field. */
  readonly wrap?: string;
  readonly onChange?: (checked: boolean) => void;
}) {
  const id = useId();
  const box = (
    <label className={(!help && wrap) || undefined} title={title}>
      <input
        type="checkbox"
        aria-describedby={help ? id : undefined}
        {...input}
        className={className || undefined}
        onChange={({ target }) => onChange?.(target.checked)}
      />
      {label}
    </label>
  );
  if (!help) return box;
  return (
    <div className={wrap}>
      {box}
      <p className="form-text" id={id}>
        {help}
      </p>
    </div>
  );
}
