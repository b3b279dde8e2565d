import { type ComponentProps, type ReactNode, useEffect, useId, useRef, useState } from 'react';

interface Labelled {
  readonly label: string;
  readonly help?: ReactNode;
  /** Error message of the field. */
  readonly error?: string | null;
}

/** Labelled text input with help and error message. */
export function TextInput({
  label,
  help,
  error,
  value,
  onChange,
  ...rest
}: Labelled & {
  readonly value: string;
  onChange(value: string): void;
  readonly type?: 'text' | 'url' | 'search' | 'date' | 'datetime-local';
  readonly maxLength?: number;
  readonly placeholder?: string;
  readonly list?: string;
  readonly autoFocus?: boolean;
  readonly onFocus?: ComponentProps<'input'>['onFocus'];
  readonly inputMode?: 'decimal' | 'numeric';
  readonly autoComplete?: string;
}) {
  const id = useId();
  return (
    <div className="ed-field">
      <label className="form-label" htmlFor={id}>
        {label}
      </label>
      <input
        id={id}
        className={`form-control${error ? ' is-invalid' : ''}`}
        value={value}
        aria-invalid={error ? true : undefined}
        aria-describedby={error || help ? `${id}-about` : undefined}
        onChange={(event) => onChange(event.target.value)}
        {...rest}
      />
      <About id={`${id}-about`} help={help} error={error} />
    </div>
  );
}

/** Text input that reports its value on blur or Enter, for expensive changes. */
export function CommitInput({ value, onChange, ...rest }: ComponentProps<typeof TextInput>) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const commit = (): void => {
    if (text !== value) onChange(text);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles events of the input
    <div
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return;
        event.preventDefault();
        commit();
      }}
    >
      <TextInput {...rest} value={text} onChange={setText} />
    </div>
  );
}

/** Same for multi-line text. */
export function TextArea({
  label,
  help,
  error,
  value,
  onChange,
  ...rest
}: Labelled & {
  readonly value: string;
  onChange(value: string): void;
  readonly rows?: number;
  readonly maxLength?: number;
}) {
  const id = useId();
  return (
    <div className="ed-field">
      <label className="form-label" htmlFor={id}>
        {label}
      </label>
      <textarea
        id={id}
        className={`form-control${error ? ' is-invalid' : ''}`}
        value={value}
        aria-describedby={error || help ? `${id}-about` : undefined}
        onChange={(event) => onChange(event.target.value)}
        {...rest}
      />
      <About id={`${id}-about`} help={help} error={error} />
    </div>
  );
}

export function Choice<V extends string>({
  label,
  help,
  error,
  value,
  choices,
  onChange,
}: Labelled & {
  readonly value: V;
  readonly choices: readonly { readonly value: V; readonly label: string }[];
  onChange(value: V): void;
}) {
  const id = useId();
  return (
    <div className="ed-field">
      <label className="form-label" htmlFor={id}>
        {label}
      </label>
      <select id={id} className="form-select" value={value} onChange={(event) => onChange(event.target.value as V)}>
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
      <About id={`${id}-about`} help={help} error={error} />
    </div>
  );
}

export function Check({
  label,
  help,
  checked,
  onChange,
  disabled = false,
}: {
  readonly label: string;
  readonly help?: string;
  readonly checked: boolean;
  readonly disabled?: boolean;
  onChange(checked: boolean): void;
}) {
  const id = useId();
  return (
    <div className="ed-field form-check">
      <input
        id={id}
        className="form-check-input"
        type="checkbox"
        checked={checked}
        disabled={disabled}
        aria-describedby={help ? `${id}-about` : undefined}
        onChange={(event) => onChange(event.target.checked)}
      />
      <label className="form-check-label" htmlFor={id}>
        {label}
      </label>
      <About id={`${id}-about`} help={help} />
    </div>
  );
}

/** Error message, announced to screen readers; renders nothing without an error. */
export function ErrorLine({ error }: { error: string | null | undefined }) {
  const line = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (error) line.current?.scrollIntoView({ block: 'nearest' });
  }, [error]);
  return error ? (
    <p ref={line} className="ed-error" role="alert">
      {error}
    </p>
  ) : null;
}

function About({ id, help, error }: { id: string; help?: ReactNode; error?: string | null }) {
  if (!help && !error) return null;
  return (
    <div id={id}>
      <ErrorLine error={error} />
      {help ? <p className="form-text">{help}</p> : null}
    </div>
  );
}
