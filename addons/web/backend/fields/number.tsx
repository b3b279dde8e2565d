import { formatAbout, formatValue } from '../lib/format.ts';
import { useStart } from '../lib/start.tsx';
import { NumberBox } from './number-box.tsx';
import { decimalsOf, inputOf } from './number-input.ts';
import type { EditProps, ShowProps } from './registry.tsx';
import { inputProps } from './text.tsx';

/** A number or an amount with its currency. */
export function NumberShow({ value, field, record }: ShowProps) {
  const about = formatAbout(useStart());
  return <span className="text-nowrap">{formatValue(value, field, { ...about, record })}</span>;
}

/** A number that names something (a match, a year): nothing is put between its digits. */
export function PlainNumberShow({ value }: ShowProps) {
  return <span className="text-nowrap">{typeof value === 'number' ? String(value) : ''}</span>;
}

/** A number as the reader's language writes it; an amount with the decimals of its currency. */
export function NumberEdit(props: EditProps) {
  const { value, field, record, id, invalid = false, onChange } = props;
  const { currencies } = useStart();
  return (
    <NumberBox
      {...inputProps(props)}
      id={id}
      value={value}
      input={inputOf(field, record, currencies)}
      decimals={decimalsOf(field, record, currencies)}
      required={field.required}
      isFaulty={invalid}
      onChange={onChange}
    />
  );
}
