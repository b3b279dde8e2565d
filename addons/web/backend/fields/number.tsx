import { useLayoutEffect, useRef, useState } from 'react';
import { formatAbout, formatValue } from '../lib/format.ts';
import { useStart } from '../lib/start.tsx';
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

/** A number as it is typed, with a comma or a point; what is no number stays in view and counts as nothing. */
export function NumberEdit(props: EditProps) {
  const { value, field, onChange } = props;
  const [typed, setTyped] = useState<string | null>(null);
  const shown = typed ?? (typeof value === 'number' ? String(value) : '');
  const isWhole = field.kind === 'integer';
  const input = useRef<HTMLInputElement>(null);
  // A number that came by itself is replaced by what is typed, as one that Tab led to.
  useLayoutEffect(() => {
    if (typed === null && typeof value === 'number' && document.activeElement === input.current)
      input.current?.select();
  }, [typed, value]);
  return (
    <input
      {...inputProps(props)}
      ref={input}
      type="text"
      inputMode={isWhole ? 'numeric' : 'decimal'}
      value={shown}
      required={field.required}
      onChange={(event) => {
        setTyped(event.target.value);
        onChange(parseNumber(event.target.value, isWhole));
      }}
      onBlur={() => {
        setTyped(null);
        props.onBlur?.();
      }}
    />
  );
}

/** The number in a text: `1 234,5` and `1234.5` alike; false for nothing or no number. */
export function parseNumber(text: string, isWhole: boolean): number | false {
  const plain = text.replace(/[\s\u00a0\u202f']/g, '');
  const point = plain.includes(',') && plain.includes('.') ? plain.replaceAll(',', '') : plain.replace(',', '.');
  if (!/^[+-]?(\d+\.?\d*|\.\d+)$/.test(point)) return false;
  const number = Number(point);
  return isWhole ? Math.trunc(number) : number;
}
