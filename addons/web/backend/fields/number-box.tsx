import type { NumberInput } from 'pergola/browser';
import { type ComponentProps, useLayoutEffect, useRef, useState } from 'react';
import { formatNumber } from '../lib/format.ts';
import { readNumber } from './number-input.ts';
import { isUnreadable, type Unreadable } from './wire.ts';

type InputProps = Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'type' | 'inputMode' | 'ref'>;

interface Props extends InputProps {
  readonly id: string;
  /** A number, or an {@link Unreadable} text; any other value is shown as empty. */
  readonly value: unknown;
  /** Numbers that the input accepts. */
  readonly input: NumberInput;
  /** Minimum number of decimals, usually the currency's. */
  readonly decimals?: number;
  /** Whether the caller shows an error for the value. */
  readonly isFaulty: boolean;
  /** False if the input is empty. */
  onChange(value: number | false | Unreadable): void;
}

/** Number input in the format of the reader's language. Text that isn't a number stays in the input, with an error below it. */
export function NumberBox({ value, input, decimals = 0, isFaulty, onChange, onBlur, ...rest }: Props) {
  const [draft, setDraft] = useState<string | null>(null);
  // Not while typing: "-" may become "-5".
  const [isChecked, setChecked] = useState(false);
  const element = useRef<HTMLInputElement>(null);
  // Selects a number that arrives while the input has focus, so that typing replaces it, as after Tab.
  useLayoutEffect(() => {
    if (draft === null && typeof value === 'number' && document.activeElement === element.current)
      element.current?.select();
  }, [draft, value]);
  const formatted = isUnreadable(value)
    ? value.text
    : typeof value === 'number'
      ? formatNumber(value, { minimumFractionDigits: decimals, maximumFractionDigits: 20, useGrouping: false })
      : '';
  const fault = isChecked && !isFaulty && isUnreadable(value) ? value.fault : null;
  return (
    <>
      <input
        {...rest}
        {...(fault !== null && {
          className: `${rest.className ?? ''} is-invalid`,
          'aria-invalid': true,
          'aria-describedby': `${rest.id}-unreadable`,
        })}
        ref={element}
        type="text"
        inputMode={input.places === 0 ? 'numeric' : 'decimal'}
        autoComplete="off"
        value={draft ?? formatted}
        onChange={({ target }) => {
          setDraft(target.value);
          setChecked(false);
          onChange(readNumber(target.value, input));
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') setChecked(true);
        }}
        onBlur={(event) => {
          setDraft(null);
          setChecked(true);
          onBlur?.(event);
        }}
      />
      {fault !== null && (
        <span className="form-fault" id={`${rest.id}-unreadable`} role="alert">
          {fault}
        </span>
      )}
    </>
  );
}
