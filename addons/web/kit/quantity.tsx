import minus from 'bootstrap-icons/icons/dash-lg.svg';
import plus from 'bootstrap-icons/icons/plus-lg.svg';
import { parseNumber } from 'pergola/browser';
import { type ComponentProps, useId } from 'react';
import { Icon } from './icon.tsx';

interface Props extends Omit<ComponentProps<'input'>, 'onChange' | 'value' | 'min' | 'max' | 'type'> {
  readonly value: string;
  readonly min?: number;
  readonly max?: number | undefined;
  /** What was typed or stepped to; not yet within bounds while somebody types. */
  readonly onChange: (value: string, isStep: boolean) => void;
  /** What screen readers call the field and its buttons. */
  readonly labels: { readonly field: string; readonly less: string; readonly more: string };
  /** Where the buttons lead without JavaScript. */
  readonly href: string;
  /** Class of the buttons. */
  readonly step?: string;
  /** What is wrong with the value. */
  readonly fault?: string | null;
}

/** A typed quantity within bounds. A text that isn't a whole number counts as the minimum; {@link quantityFault} says why. */
export function quantityOf(text: string, min = 0, max = Number.POSITIVE_INFINITY): number {
  return Math.max(min, Math.min(max, Number(parseNumber(text, { places: 0 }).value ?? min)));
}

/** What is wrong with a typed quantity ("2.9"); null if it can be used. A text without digits counts as the minimum. */
export function quantityFault(text: string): string | null {
  return /\p{Nd}/u.test(text) ? parseNumber(text, { places: 0 }).fault : null;
}

/** A number of pieces with a button for one less and one more. */
export function Quantity({ value, min = 0, max, onChange, labels, href, step = '', fault = null, ...input }: Props) {
  const faultId = useId();
  const button = (by: -1 | 1) => (
    // biome-ignore lint/a11y/useSemanticElements: without JavaScript it is a link
    <a
      className={`btn btn-outline-secondary ${step}`.trim()}
      href={href}
      role="button"
      data-step={by}
      aria-label={by < 0 ? labels.less : labels.more}
      onClick={(event) => {
        event.preventDefault();
        onChange(String(quantityOf(String(quantityOf(value, min, max) + by), min, max)), true);
      }}
      onKeyDown={(event) => {
        if (event.key !== ' ') return;
        event.preventDefault();
        event.currentTarget.click();
      }}
    >
      <span className={`fa ${by < 0 ? 'fa-minus' : 'fa-plus'}`}>
        <Icon of={by < 0 ? minus : plus} />
      </span>
    </a>
  );
  return (
    <>
      <div className="css_quantity input-group">
        {button(-1)}
        <input
          className={`form-control js_quantity${fault ? ' is-invalid' : ''}`}
          aria-invalid={fault ? true : undefined}
          aria-describedby={fault ? faultId : undefined}
          inputMode="numeric"
          maxLength={9}
          autoComplete="off"
          {...input}
          type="text"
          value={value}
          aria-label={labels.field}
          onChange={(event) => onChange(event.target.value, false)}
        />
        {button(1)}
      </div>
      {fault && (
        <p className="text-danger small mt-1 mb-0" id={faultId} role="alert">
          {fault}
        </p>
      )}
    </>
  );
}
