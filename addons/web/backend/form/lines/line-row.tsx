import { t } from 'pergola/browser';
import { useId } from 'react';
import { type EditProps, type Widgets, widgetFor } from '../../fields/registry.tsx';
import { inputProps, TextShow } from '../../fields/text.tsx';
import { Icon } from '../../lib/icon.tsx';
import type { FieldInfo, ModelInfo } from '../../types.ts';
import { TagsEdit, TagsShow } from '../inputs/tags.tsx';
import { faultOf } from '../schema.ts';
import { type FormValues, type Line, shownOf } from '../values.ts';
import { inState } from '../view.ts';

/** Widgets for cells of lines, which extend the widgets of lists. */
export const lineWidgets: Widgets = {
  many2many: { Show: TagsShow, Edit: TagsEdit, inList: true },
  text: { Show: TextShow, Edit: LineText, inList: true },
};

/** Multi-line text in a cell, as tall as its content. */
function LineText(props: EditProps) {
  const { value, field, onChange } = props;
  return (
    <textarea
      {...inputProps(props)}
      className={`form-control form-control-sm form-line-text${props.invalid ? ' is-invalid' : ''}`}
      rows={1}
      value={typeof value === 'string' ? value : ''}
      maxLength={field.size ?? undefined}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

/** A line of a table: a widget for each cell, and the line's actions. */
export function LineRow({
  line,
  number,
  columns,
  info,
  isChecked,
  faults,
  onChange,
  onRemove,
  onOpen,
}: {
  line: Line;
  /** Counted from 1, for screen readers. */
  number: number;
  columns: readonly FieldInfo[];
  info: ModelInfo;
  /** Whether cells show their errors, which is the case after the first attempt to save. */
  isChecked: boolean;
  /** Errors returned by the server for the cells, by column. */
  faults: Readonly<Record<string, string>>;
  onChange(changes: FormValues): void;
  onRemove: (() => void) | null;
  onOpen: (() => void) | null;
}) {
  const id = useId();
  const values = shownOf(line);
  const mayChange = !line.follows && (line.id === null ? info.may.create : info.may.write);
  return (
    <tr data-line={line.key}>
      {columns.map((declared) => {
        const column = inState(declared, values);
        const { Show, Edit, inList, isNumber } = widgetFor(column, null, lineWidgets);
        const value = values[column.name];
        const cellProps = { value, field: column, record: { id: line.id, ...values }, model: info.name };
        const checked = isChecked && !column.readonly ? faultOf(column, value) : null;
        const fault = checked ?? faults[column.name] ?? null;
        const inputId = `${id}-${column.name}`;
        return (
          <td key={column.name} data-label={column.label} className={isNumber ? 'text-end' : ''}>
            {Edit && inList && mayChange && !column.readonly ? (
              <>
                <Edit
                  {...cellProps}
                  id={inputId}
                  inList
                  label={t('{field}, line {n}', { field: column.label, n: number })}
                  invalid={fault !== null}
                  describedBy={fault ? `${inputId}-fault` : undefined}
                  onChange={(next) => onChange({ ...line.changes, [column.name]: next })}
                />
                {fault && (
                  <p className="form-fault" id={`${inputId}-fault`}>
                    {fault}
                  </p>
                )}
              </>
            ) : (
              <Show {...cellProps} />
            )}
          </td>
        );
      })}
      <td className="form-line-acts">
        {onOpen && (
          <button
            type="button"
            className="btn btn-sm btn-icon"
            aria-label={t('Open line {n}', { n: number })}
            title={t('Open')}
            onClick={onOpen}
          >
            <Icon name="box-arrow-up-right" />
          </button>
        )}
        {onRemove && (
          <button
            type="button"
            className="btn btn-sm btn-icon"
            aria-label={t('Remove line {n}', { n: number })}
            title={t('Remove')}
            onClick={onRemove}
          >
            <Icon name="trash" />
          </button>
        )}
      </td>
    </tr>
  );
}
