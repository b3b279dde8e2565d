import { formatOptions, formatValue } from '../lib/format.ts';
import { useStart } from '../lib/start.tsx';
import { NumberBox } from './number-box.tsx';
import { decimalsOf, inputOf } from './number-input.ts';
import type { EditProps, ShowProps } from './registry.tsx';
import { inputProps } from './text.tsx';

/** A number or an amount with its currency. */
export function NumberShow({ value, field, record }: ShowProps) {
  const formats = formatOptions(useStart());
  return <span className="text-nowrap">{formatValue(value, field, { ...formats, record })}</span>;
}

/** A number that identifies something, such as a match or a year, without thousands separators. */
export function PlainNumberShow({ value }: ShowProps) {
  return <span className="text-nowrap">{typeof value === 'number' ? String(value) : ''}</span>;
}

/** Number input in the format of the reader's language; amounts have the decimals of their currency. */
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
