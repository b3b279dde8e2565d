import type { NumberInput } from 'pergola/browser';
import { type ComponentProps, useLayoutEffect, useRef, useState } from 'react';
import { formatNumber } from '../lib/format.ts';
import { readNumber } from './number-input.ts';
import { isUnreadable, type Unreadable } from './wire.ts';

type InputProps = Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'type' | 'inputMode' | 'ref'>;

interface Props extends InputProps {
  readonly id: string;
  /** A number, or an {@link Unreadable} text; anything else is shown as empty. */
  readonly value: unknown;
  /** What may be typed. */
  readonly input: NumberInput;
  /** Decimals that are always shown: those of a currency. */
  readonly decimals?: number;
  /** The caller shows what is wrong with the value. */
  readonly isFaulty: boolean;
  /** False if the input is empty. */
  onChange(value: number | false | Unreadable): void;
}

/** An input for numbers as the reader's language writes them. A text that isn't a number stays in it, with what is wrong below it. */
export function NumberBox({ value, input, decimals = 0, isFaulty, onChange, onBlur, ...rest }: Props) {
  const [typed, setTyped] = useState<string | null>(null);
  // Not while it is being typed: "-" becomes "-5".
  const [isChecked, setChecked] = useState(false);
  const element = useRef<HTMLInputElement>(null);
  // A number that came by itself is replaced by what is typed, as one that Tab led to.
  useLayoutEffect(() => {
    if (typed === null && typeof value === 'number' && document.activeElement === element.current)
      element.current?.select();
  }, [typed, value]);
  const shown = isUnreadable(value)
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
        value={typed ?? shown}
        onChange={({ target }) => {
          setTyped(target.value);
          setChecked(false);
          onChange(readNumber(target.value, input));
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') setChecked(true);
        }}
        onBlur={(event) => {
          setTyped(null);
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
