import { t } from 'pergola/browser';
import { useState } from 'react';
import { Check } from '../../kit/field.tsx';
import { Icon } from '../lib/icon.tsx';
import { MenuButton } from '../lib/menu-button.tsx';
import { SearchBox } from '../lib/search-box.tsx';
import type { ModelInfo } from '../types.ts';
import { type ColumnChoice, declaredColumn, isListable } from './columns.ts';

/** Label of a column. */
export function columnLabel(info: ModelInfo, field: string): string {
  return declaredColumn(info, field).label ?? info.fields[field]?.label ?? field;
}

/** Selects and orders the columns of a list. */
export function ColumnsMenu({
  info,
  columns,
  onChange,
  onReset,
}: {
  info: ModelInfo;
  columns: readonly ColumnChoice[];
  onChange(columns: readonly ColumnChoice[]): void;
  onReset(): void;
}) {
  const [looked, setLooked] = useState('');
  const visible = new Set(columns.map(({ field }) => field));
  const declared = new Set(info.list.columns.map(({ field }) => field));
  const available = Object.values(info.fields)
    .filter((field) => isListable(field) && !visible.has(field.name))
    .filter(({ name, label }) => `${label} ${name}`.toLowerCase().includes(looked.trim().toLowerCase()))
    .toSorted((a, b) => Number(declared.has(b.name)) - Number(declared.has(a.name)) || a.label.localeCompare(b.label));
  const move = (index: number, step: -1 | 1): void => {
    const next = [...columns];
    const [moved] = next.splice(index, 1);
    if (moved) next.splice(index + step, 0, moved);
    onChange(next);
  };
  return (
    <MenuButton
      title={t('Columns')}
      label={<Icon name="sliders" />}
      className="btn btn-sm btn-outline-secondary"
      slot="columns"
      end
      keep
    >
      <p className="backend-menu-head">{t('Columns')}</p>
      <ul className="backend-columns">
        {columns.map(({ field }, index) => {
          const label = columnLabel(info, field);
          return (
            <li key={field}>
              <Check
                wrap=""
                label={label}
                checked
                disabled={columns.length === 1}
                onChange={() => onChange(columns.filter((column) => column.field !== field))}
              />
              <button
                type="button"
                className="btn btn-sm btn-icon"
                disabled={index === 0}
                aria-label={t('Move “{name}” forward', { name: label })}
                onClick={() => move(index, -1)}
              >
                <Icon name="arrow-up" />
              </button>
              <button
                type="button"
                className="btn btn-sm btn-icon"
                disabled={index === columns.length - 1}
                aria-label={t('Move “{name}” back', { name: label })}
                onClick={() => move(index, 1)}
              >
                <Icon name="arrow-down" />
              </button>
            </li>
          );
        })}
      </ul>
      <SearchBox
        label={t('Search fields')}
        className="form-control form-control-sm my-2"
        value={looked}
        onChange={setLooked}
      />
      <ul className="backend-columns backend-columns-more">
        {available.map(({ name }) => (
          <li key={name}>
            <Check
              wrap=""
              label={columnLabel(info, name)}
              checked={false}
              onChange={() => onChange([...columns, { field: name, width: null }])}
            />
          </li>
        ))}
      </ul>
      <button type="button" className="dropdown-item" onClick={onReset}>
        <Icon name="arrow-counterclockwise" /> {t('Reset')}
      </button>
    </MenuButton>
  );
}
