import { t } from 'pergola/browser';
import { Icon } from '../lib/icon.tsx';
import type { EditProps, ShowProps } from './registry.tsx';

/** Yes or no. */
export function BooleanShow({ value }: ShowProps) {
  return value ? (
    <>
      <Icon name="check-lg" className="text-primary" />
      <span className="visually-hidden">{t('Yes')}</span>
    </>
  ) : (
    <>
      <span aria-hidden="true" className="text-body-secondary">
        –
      </span>
      <span className="visually-hidden">{t('No')}</span>
    </>
  );
}

export function BooleanEdit({
  value,
  id,
  onChange,
  onBlur,
  disabled,
  invalid,
  describedBy,
  label,
  autoFocus,
}: EditProps) {
  return (
    <input
      id={id}
      type="checkbox"
      className="form-check-input"
      checked={value === true}
      disabled={disabled}
      aria-invalid={invalid || undefined}
      aria-describedby={describedBy}
      aria-label={label}
      // biome-ignore lint/a11y/noAutofocus: the user has just opened this cell
      autoFocus={autoFocus}
      onBlur={onBlur}
      onChange={(event) => onChange(event.target.checked)}
    />
  );
}
