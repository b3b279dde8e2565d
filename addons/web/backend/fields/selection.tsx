import type { FieldInfo } from '../types.ts';
import type { EditProps, ShowProps } from './registry.tsx';

/** Returns the CSS class of a choice, plus its colour class. The colour only supplements the label. */
export function choiceClass(name: string, { colors }: FieldInfo, value: unknown): string {
  const color = typeof value === 'string' && Object.hasOwn(colors, value) ? colors[value] : undefined;
  return color ? `${name} choice-${color}` : name;
}

/** Label of a choice. */
export function SelectionShow({ value, field }: ShowProps) {
  const label = field.selection.find(([key]) => key === value)?.[1];
  return label ? <span className={choiceClass('backend-choice', field, value)}>{label}</span> : null;
}

export function SelectionEdit({
  value,
  field,
  id,
  onChange,
  onBlur,
  disabled,
  invalid,
  describedBy,
  label,
  inList,
  autoFocus,
}: EditProps) {
  return (
    <select
      id={id}
      className={`form-select${inList ? ' form-select-sm' : ''}${invalid ? ' is-invalid' : ''}`}
      value={typeof value === 'string' ? value : ''}
      disabled={disabled}
      aria-invalid={invalid || undefined}
      aria-describedby={describedBy}
      aria-label={label}
      // biome-ignore lint/a11y/noAutofocus: the user has just opened this cell
      autoFocus={autoFocus}
      onBlur={onBlur}
      onChange={(event) => onChange(event.target.value || false)}
    >
      {(!field.required || !value) && <option value="" />}
      {field.selection.map(([key, text]) => (
        <option key={key} value={key}>
          {text}
        </option>
      ))}
    </select>
  );
}
