import type { EditProps, ShowProps } from '../../fields/registry.tsx';
import { TextEdit } from '../../fields/text.tsx';
import { useStart } from '../../lib/start.tsx';

/** Name of a language of the site. */
export function LanguageShow({ value }: ShowProps) {
  const { languages } = useStart();
  return <>{languages.find(({ code }) => code === value)?.name ?? (value ? String(value) : '')}</>;
}

export function LanguageEdit({ value, id, onChange, onBlur, disabled, invalid, describedBy, label, field }: EditProps) {
  const { languages } = useStart();
  const isKnown = !value || languages.some(({ code }) => code === value);
  return (
    <select
      id={id}
      className={`form-select${invalid ? ' is-invalid' : ''}`}
      value={typeof value === 'string' ? value : ''}
      disabled={disabled}
      aria-invalid={invalid || undefined}
      aria-describedby={describedBy}
      aria-label={label}
      onBlur={onBlur}
      onChange={(event) => onChange(event.target.value || false)}
    >
      {(!field.required || !value) && <option value="" />}
      {!isKnown && <option value={String(value)}>{String(value)}</option>}
      {languages.map(({ code, name }) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
    </select>
  );
}

/** Input for an IANA time zone, with suggestions from the browser. */
export function ZoneEdit(props: EditProps) {
  const list = `${props.id}-zones`;
  return (
    <>
      <TextEdit {...props} list={list} />
      <datalist id={list}>
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  );
}
