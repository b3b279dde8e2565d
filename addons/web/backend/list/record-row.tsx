import { t } from 'pergola/browser';
import { memo } from 'react';
import { Link, useNavigate } from 'react-router';
import { Check } from '../../kit/field.tsx';
import { widgetFor } from '../fields/registry.tsx';
import { recordAddress } from '../lib/addresses.ts';
import type { WireRecord } from '../lib/calls.ts';
import { isEmpty } from '../lib/format.ts';
import type { ModelInfo } from '../types.ts';
import { EditableCell } from './editable-cell.tsx';
import type { TableColumn } from './record-table.tsx';

interface RowProps {
  readonly record: WireRecord;
  readonly row: number;
  readonly depth: number;
  readonly info: ModelInfo;
  readonly columns: readonly TableColumn[];
  readonly menu: string | null;
  readonly isChosen: boolean;
  readonly isStale: boolean;
  readonly isEditing: boolean;
  onSelect(id: number, isRange: boolean): void;
}

/** Row of a record. Its first cell links to the record; so does a click anywhere that isn't handled otherwise. */
export const RecordRow = memo(function RecordRow(props: RowProps) {
  const { record, row, depth, info, columns, menu, isChosen, isStale, isEditing, onSelect } = props;
  const navigate = useNavigate();
  const address = recordAddress(info.name, record.id, menu);
  const isArchived = info.archives && record.active === false;
  return (
    <tr
      aria-rowindex={row}
      aria-selected={isChosen}
      data-id={record.id}
      className={`${isChosen ? 'table-active' : ''}${isArchived ? ' backend-archived' : ''}`}
      onClick={(event) => {
        const { target } = event;
        const handlesClick =
          target instanceof Element && target.closest('a, button, input, select, textarea, label, [data-editable]');
        if (handlesClick || isEditing || getSelection()?.toString()) return;
        void navigate(address);
      }}
    >
      <td className="backend-select">
        <Check
          wrap="backend-select-box"
          aria-label={t('Select {name}', { name: String(record.display_name ?? record.id) })}
          checked={isChosen}
          aria-disabled={isStale || undefined}
          onClick={(event) => onSelect(record.id, event.shiftKey)}
          onKeyDown={(event) => {
            if (event.key !== ' ') return;
            event.preventDefault();
            onSelect(record.id, event.shiftKey);
          }}
        />
      </td>
      {columns.map(({ field, widget, isNumber, label }, index) => {
        const { Show, Edit, inList } = widgetFor(field, widget);
        const value = record[field.name];
        const cellProps = { value, field, record, model: info.name };
        if (isEditing && Edit && inList && !field.readonly) {
          return (
            <EditableCell
              key={field.name}
              {...cellProps}
              record={record}
              info={info}
              widget={widget}
              label={label}
              isNumber={isNumber}
            />
          );
        }
        const isLink = index === 0;
        return (
          <td key={field.name} className={isNumber ? 'backend-number' : ''}>
            {isLink ? (
              <Link to={address} className="backend-open" style={{ paddingInlineStart: `${depth * 1.25}rem` }}>
                {isEmpty(value, field) || field.kind === 'many2one' ? (
                  plainLink(value, record)
                ) : (
                  <Show {...cellProps} field={{ ...field, kind: field.kind === 'char' ? 'text' : field.kind }} />
                )}
                {isArchived && <span className="backend-badge ms-2">{t('Archived')}</span>}
              </Link>
            ) : (
              <Show {...cellProps} />
            )}
          </td>
        );
      })}
    </tr>
  );
});

/** Link text for a record whose first cell is empty or contains another link. */
function plainLink(value: unknown, record: WireRecord): string {
  return Array.isArray(value) && typeof value[1] === 'string'
    ? value[1]
    : String(record.display_name || `#${record.id}`);
}
