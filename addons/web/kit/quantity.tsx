import minus from 'bootstrap-icons/icons/dash-lg.svg';
import plus from 'bootstrap-icons/icons/plus-lg.svg';
import { parseNumber } from 'pergola/browser';
import { type ComponentProps, type MouseEvent, useId } from 'react';
import { Icon } from './icon.tsx';

interface Props extends Omit<ComponentProps<'input'>, 'onChange' | 'value' | 'min' | 'max' | 'type'> {
  readonly value: string;
  readonly min?: number;
  readonly max?: number | undefined;
  /** Called with the typed or stepped value, which may be out of bounds while typing. */
  readonly onChange: (value: string, isStep: boolean) => void;
  /** Accessible names of the field and its buttons. */
  readonly labels: { readonly field: string; readonly less: string; readonly more: string };
  /** Address of the buttons without JavaScript; they do nothing by default. */
  readonly href?: string;
  /** CSS class of the buttons. */
  readonly step?: string;
  /** Error text of the value. */
  readonly fault?: string | null;
}

/**
 * Parses a typed quantity and clamps it to the bounds. A text that isn't a whole number becomes the minimum; {@link quantityFault} returns
 * the reason.
 */
export function quantityOf(text: string, min = 0, max = Number.POSITIVE_INFINITY): number {
  return Math.max(min, Math.min(max, Number(parseNumber(text, { places: 0 }).value ?? min)));
}

/** Returns the error text of a typed quantity ("2.9"), or null if it is usable. A text without digits counts as the minimum. */
export function quantityFault(text: string): string | null {
  return /\p{Nd}/u.test(text) ? parseNumber(text, { places: 0 }).fault : null;
}

/** Quantity input with buttons that add or remove one. */
export function Quantity({ value, min = 0, max, onChange, labels, href, step = '', fault = null, ...input }: Props) {
  const faultId = useId();
  const button = (delta: -1 | 1) => {
    const shared = {
      className: `btn btn-outline-secondary ${step}`.trim(),
      'data-step': delta,
      'aria-label': delta < 0 ? labels.less : labels.more,
      onClick: (event: MouseEvent): void => {
        event.preventDefault();
        onChange(String(quantityOf(String(quantityOf(value, min, max) + delta), min, max)), true);
      },
      children: (
        <span className={`fa ${delta < 0 ? 'fa-minus' : 'fa-plus'}`}>
          <Icon of={delta < 0 ? minus : plus} />
        </span>
      ),
    };
    return href === undefined ? (
      <button type="button" {...shared} disabled={input.disabled} />
    ) : (
      // biome-ignore lint/a11y/useSemanticElements: without JavaScript it is a link
      <a
        {...shared}
        href={href}
        role="button"
        onKeyDown={(event) => {
          if (event.key !== ' ') return;
          event.preventDefault();
          event.currentTarget.click();
        }}
      />
    );
  };
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
