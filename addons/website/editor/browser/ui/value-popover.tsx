import { Check, SelectField, TextField, useWindowEvent } from '@pergola/web/kit';
import { formatNumber, parseNumber, t } from 'pergola/browser';
import { zoneName } from 'pergola/zones';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { OpenElement } from '../calls.ts';
import type { ValueField } from '../fields/value-field.ts';
import { inputMoment, momentOfInput } from '../zone.ts';

/** Popover next to a number, date or choice of the page. */
export function ValuePopover({
  field,
  element,
  onClose,
}: {
  field: ValueField;
  element: HTMLElement;
  onClose(): void;
}) {
  const { piece } = field;
  const box = useRef<HTMLFormElement>(null);
  const [value, setValue] = useState<unknown>(toInput(piece, field.value()));
  const [fault, setFault] = useState<string | null>(null);
  useLayoutEffect(() => place(box.current, element), [element]);
  useEffect(() => box.current?.querySelector<HTMLElement>('input, select')?.focus(), []);
  useWindowEvent('mousedown', ({ target }) => {
    if (target instanceof Node && !box.current?.contains(target)) onClose();
  });
  const leave = (): void => {
    onClose();
    element.focus();
  };
  return (
    <form
      ref={box}
      className="ed-popover"
      noValidate
      aria-label={piece.label}
      onSubmit={(event) => {
        event.preventDefault();
        const number = isNumber(piece.type) && value !== '' ? readNumber(piece.type, value) : null;
        setFault(number?.fault ?? null);
        if (number?.fault) return;
        field.set(number ? number.value : fromInput(piece, value));
        leave();
      }}
      onKeyDown={(event) => event.key === 'Escape' && leave()}
    >
      <Input field={field} value={value} fault={fault} onChange={setValue} />
      <div className="ed-popover-foot">
        <button type="button" className="btn btn-sm btn-outline-secondary" onClick={leave}>
          {t('Cancel')}
        </button>
        <button type="submit" className="btn btn-sm btn-primary">
          {t('Apply')}
        </button>
      </div>
    </form>
  );
}

function Input({
  field,
  value,
  fault,
  onChange,
}: {
  field: ValueField;
  value: unknown;
  fault: string | null;
  onChange(value: unknown): void;
}) {
  const { type, label, choices, required, timezone } = field.piece;
  if (type === 'boolean') return <Check label={label} checked={value === true} onChange={onChange} />;
  if (type === 'selection') {
    const entries = Object.entries(choices ?? {}).map(([key, text]) => ({ value: key, label: text }));
    return (
      <SelectField
        label={label}
        value={String(value ?? '')}
        choices={required ? entries : [{ value: '', label: '–' }, ...entries]}
        onChange={onChange}
      />
    );
  }
  const kind = type === 'date' ? 'date' : type === 'datetime' ? 'datetime-local' : 'text';
  const mode = kind === 'text' ? ('decimal' as const) : undefined;
  return (
    <TextField
      label={label}
      type={kind}
      inputMode={mode}
      help={type === 'datetime' ? zoneName(timezone, t) : undefined}
      error={fault}
      value={String(value ?? '')}
      onChange={onChange}
    />
  );
}

const isNumber = (type: string): boolean => ['integer', 'float', 'decimal', 'money'].includes(type);

const readNumber = (type: string, value: unknown) =>
  parseNumber(String(value), { places: type === 'integer' ? 0 : undefined, currency: 'any' });

/** Converts a value for inputs: numbers in the page's language, moments in the field's zone. */
function toInput({ type, timezone }: OpenElement, value: unknown): unknown {
  if (type === 'boolean') return value === true;
  if (isNumber(type) && value !== null && value !== '')
    return formatNumber(Number(value), { maximumFractionDigits: 6 });
  if (type !== 'datetime' || typeof value !== 'string') return value ?? '';
  return inputMoment(value, timezone);
}

function fromInput({ type, timezone }: OpenElement, value: unknown): unknown {
  if (type === 'boolean') return value === true;
  if (value === '' || value === null) return null;
  if (type === 'datetime') return momentOfInput(String(value), timezone);
  return value;
}

function place(box: HTMLElement | null, element: HTMLElement): void {
  if (!box) return;
  const rect = element.getBoundingClientRect();
  const x = Math.max(8, Math.min(rect.left, document.documentElement.clientWidth - box.offsetWidth - 8));
  box.style.left = `${x + window.scrollX}px`;
  box.style.top = `${rect.bottom + window.scrollY + 8}px`;
}
