import { t } from 'pergola/browser';
import { Link } from 'react-router';
import { recordAddress } from '../lib/addresses.ts';
import { isNamed } from '../lib/format.ts';
import { Icon } from '../lib/icon.tsx';
import { choicesOf } from './choices.ts';
import { useMaking } from './making.tsx';
import { type Picked, RecordPicker } from './record-picker.tsx';
import type { EditProps, ShowProps } from './registry.tsx';
import { inputProps } from './text.tsx';

/** Name of the related record. */
export function Many2OneShow({ value, field }: ShowProps) {
  if (!isNamed(value)) return null;
  return field.relation ? <Link to={recordAddress(field.relation, value[0])}>{value[1]}</Link> : value[1];
}

/** Combobox for a related record. In forms, it can also create a missing record and open the selected one. */
export function Many2OneEdit(props: EditProps) {
  const { value, field, onChange, onBlur, inList = false, disabled = false } = props;
  const relation = field.relation ?? '';
  const pick = (option: Picked): void => onChange([option[0], option[1]]);
  const { domain, defaults } = choicesOf(field, props.record);
  const making = useMaking(relation, pick, defaults);
  const picker = (
    <RecordPicker
      model={relation}
      domain={domain}
      displayText={isNamed(value) ? value[1] : ''}
      label={props.label ?? field.label}
      input={{ ...inputProps(props), 'aria-required': field.required || undefined }}
      onPick={pick}
      onClear={() => onChange(false)}
      onBlur={onBlur}
      create={!inList && !disabled}
      onEdit={inList ? undefined : making.ask}
    />
  );
  if (inList) return picker;
  const open = t('Open {name}', { name: isNamed(value) ? value[1] : '' });
  return (
    <div className="form-many2one">
      {picker}
      {isNamed(value) && (
        <Link className="btn btn-icon btn-sm" to={recordAddress(relation, value[0])} title={open} aria-label={open}>
          <Icon name="box-arrow-up-right" />
        </Link>
      )}
      {making.dialog}
    </div>
  );
}
