import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useDeferredValue, useId, useState } from 'react';
import { Link } from 'react-router';
import { t } from '#core/browser';
import { recordAddress } from '../lib/addresses.ts';
import { nameSearch } from '../lib/calls.ts';
import { isNamed } from '../lib/format.ts';
import type { EditProps, ShowProps } from './registry.tsx';
import { inputProps } from './text.tsx';

/** The name of what it leads to. */
export function Many2OneShow({ value, field }: ShowProps) {
  if (!isNamed(value)) return null;
  return field.relation ? <Link to={recordAddress(field.relation, value[0])}>{value[1]}</Link> : value[1];
}

/** A field that finds a record while one types: a combobox, by mouse and by keyboard. */
export function Many2OneEdit(props: EditProps) {
  const { value, field, onChange, onBlur } = props;
  const [typed, setTyped] = useState<string | null>(null);
  const [active, setActive] = useState(0);
  const list = useId();
  const asked = useDeferredValue(typed);
  const isOpen = typed !== null;
  const found = useQuery({
    queryKey: ['records', field.relation, 'names', asked, field.domain],
    queryFn: () => nameSearch(field.relation ?? '', asked ?? '', field.domain),
    enabled: asked !== null && field.relation !== null,
    placeholderData: (before) => before,
  });
  const options: readonly (readonly [number, string])[] = isOpen ? (found.data ?? []) : [];
  const name = isNamed(value) ? value[1] : '';
  const choose = (option: readonly [number, string] | undefined): void => {
    setTyped(null);
    if (option) onChange([option[0], option[1]]);
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (!isOpen) setTyped('');
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setActive((active + step + options.length) % Math.max(options.length, 1));
    } else if (event.key === 'Enter' && isOpen) {
      event.preventDefault();
      event.stopPropagation();
      choose(options[active]);
    } else if (event.key === 'Escape' && isOpen) {
      event.stopPropagation();
      event.preventDefault();
      setTyped(null);
    }
  };
  return (
    <div className="backend-combo">
      <input
        {...inputProps(props)}
        type="text"
        role="combobox"
        autoComplete="off"
        aria-expanded={isOpen}
        aria-controls={list}
        aria-activedescendant={isOpen && options[active] ? `${list}-${options[active][0]}` : undefined}
        value={typed ?? name}
        required={field.required}
        onChange={(event) => {
          setTyped(event.target.value);
          setActive(0);
          if (event.target.value === '') onChange(false);
        }}
        onClick={() => setTyped(typed ?? '')}
        onKeyDown={onKey}
        onBlur={() => {
          setTyped(null);
          onBlur?.();
        }}
      />
      {isOpen && (
        <div id={list} role="listbox" className="backend-combo-list" aria-label={props.label ?? field.label}>
          {options.map((option, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: keys are the input's
            <div
              key={option[0]}
              id={`${list}-${option[0]}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              className={`backend-combo-option${index === active ? ' active' : ''}`}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(option)}
            >
              {option[1]}
            </div>
          ))}
          {options.length === 0 && found.isFetched && (
            <div className="backend-combo-none" role="status">
              {t('Nothing was found.')}
            </div>
          )}
        </div>
      )}
    </div>
  );
}
