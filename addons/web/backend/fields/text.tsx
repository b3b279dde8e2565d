import { formatOptions, formatValue } from '../lib/format.ts';
import { useStart } from '../lib/start.tsx';
import type { EditProps, ShowProps } from './registry.tsx';

/** Any value as one line of text; email and web addresses become links. */
export function TextShow({ value, field, record }: ShowProps) {
  const formats = formatOptions(useStart());
  const text = formatValue(value, field, { ...formats, record });
  if (field.kind === 'char' && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)) return <a href={`mailto:${text}`}>{text}</a>;
  if (field.kind === 'char' && /^https?:\/\/\S+$/.test(text))
    return (
      <a href={text} target="_blank" rel="noreferrer">
        {text}
      </a>
    );
  return <>{text}</>;
}

/** Returns the props common to the inputs of all widgets. */
export function inputProps({ id, disabled, invalid, describedBy, label, inList, onBlur, autoFocus }: EditProps) {
  return {
    id,
    disabled,
    'aria-invalid': invalid || undefined,
    'aria-describedby': describedBy,
    'aria-label': label,
    className: `form-control${inList ? ' form-control-sm' : ''}${invalid ? ' is-invalid' : ''}`,
    onBlur,
    autoFocus,
  };
}

/** One line of text. */
export function TextEdit({ list, ...props }: EditProps & { list?: string }) {
  const { value, field, onChange } = props;
  return (
    <input
      {...inputProps(props)}
      type="text"
      list={list}
      value={typeof value === 'string' ? value : ''}
      maxLength={field.size ?? undefined}
      required={field.required}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

/** Several lines of text. */
export function TextAreaEdit(props: EditProps) {
  const { value, field, onChange } = props;
  return (
    <textarea
      {...inputProps(props)}
      rows={4}
      value={typeof value === 'string' ? value : ''}
      maxLength={field.size ?? undefined}
      required={field.required}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
