import type { Header } from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { t } from 'pergola/browser';
import { type KeyboardEvent, useCallback, useMemo, useRef } from 'react';
import { Check } from '../../kit/field.tsx';
import { widgetFor } from '../fields/registry.tsx';
import { Icon } from '../lib/icon.tsx';
import type { FieldInfo, ModelInfo } from '../types.ts';
import { type ColumnChoice, declaredColumn } from './columns.ts';
import { columnLabel } from './columns-menu.tsx';
import { GroupRow, MoreRow, WaitRow } from './group-rows.tsx';
import { RecordRow } from './record-row.tsx';
import { emptySelection, extended, isChosen, type Selection, toggled } from './selection.ts';
import { TotalsRow } from './totals-row.tsx';
import type { Group, Line } from './use-records.ts';
import { type features, MAX_WIDTH, MIN_WIDTH, useRoom, useWidths } from './use-widths.ts';
import { walkCells } from './walk-cells.ts';

/** A column with its field. */
export interface TableColumn {
  readonly field: FieldInfo;
  readonly label: string;
  readonly widget: string | null;
  readonly isNumber: boolean;
}

export interface LinesProps {
  readonly info: ModelInfo;
  readonly lines: readonly Line[];
  readonly columns: readonly ColumnChoice[];
  readonly groupBy: readonly string[];
  readonly menu: string | null;
  readonly selection: Selection;
  setSelection(selection: Selection): void;
  /** Whether rows of a previous list are shown, which can't be selected. */
  readonly isStale: boolean;
  onToggle(group: Group): void;
  onMore(group: Group): void;
}

/** Row height in CSS pixels, also set in `backend.scss`. */
const LINE = 42;
const SELECT_WIDTH = 44;

/** List as a table: headers sort, their edges resize, arrow keys move between cells. */
export function RecordTable(
  props: LinesProps & {
    order: string;
    onOrder(order: string): void;
    onColumns(columns: readonly ColumnChoice[]): void;
    isEditing: boolean;
    totals: Readonly<Record<string, unknown>> | null;
  },
) {
  const { info, lines, columns, menu, selection, setSelection, isStale, onToggle, onMore, order, onOrder, isEditing } =
    props;
  const tableColumns = useTableColumns(info, columns);
  const place = useRef<HTMLDivElement>(null);
  const table = useWidths(tableColumns, columns, props.onColumns, useRoom(place) - SELECT_WIDTH);
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => place.current,
    estimateSize: () => LINE,
    getItemKey: (index) => lines[index]?.key ?? index,
    overscan: 12,
  });
  const inSight = useMemo(() => lines.flatMap((line) => (line.kind === 'record' ? [line.record.id] : [])), [lines]);
  const latest = useRef({ selection, inSight, last: 0 });
  latest.current.selection = selection;
  latest.current.inSight = inSight;
  const onSelect = useCallback(
    (id: number, isRange: boolean) => {
      const { selection: before, inSight: ids, last } = latest.current;
      setSelection(isRange && last ? extended(before, last, id, ids) : toggled(before, id, ids));
      latest.current.last = id;
    },
    [setSelection],
  );
  const items = rows.getVirtualItems();
  const [before, after] = [items[0]?.start ?? 0, rows.getTotalSize() - (items.at(-1)?.end ?? 0)];
  const span = tableColumns.length + 1;
  const width = table.getTotalSize() + SELECT_WIDTH;
  return (
    <div className="backend-table-place" ref={place} data-slot="table">
      <table
        className={`table backend-table${isEditing ? ' editing' : ''}`}
        style={{ width: `max(100%, ${width}px)` }}
        aria-rowcount={lines.length + 1}
        onKeyDown={walkCells}
      >
        <caption className="visually-hidden">{info.label}</caption>
        <colgroup>
          <col style={{ width: SELECT_WIDTH }} />
          {table.getFlatHeaders().map((header) => (
            <col key={header.id} style={{ width: header.getSize() }} />
          ))}
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            <th className="backend-select">
              <SelectAll ids={inSight} selection={selection} setSelection={setSelection} isStale={isStale} />
            </th>
            {table.getFlatHeaders().map((header, index) => {
              const column = tableColumns[index];
              return column ? (
                <Head
                  key={header.id}
                  header={header}
                  column={column}
                  order={order}
                  onOrder={onOrder}
                  onWidth={table.setWidth}
                />
              ) : null;
            })}
          </tr>
        </thead>
        <tbody>
          {before > 0 && <tr className="backend-space" style={{ height: before }} />}
          {items.map((item) => {
            const line = lines[item.index];
            if (!line) return null;
            const row = item.index + 2;
            switch (line.kind) {
              case 'group':
                return (
                  <GroupRow
                    key={line.key}
                    line={line}
                    row={row}
                    columns={tableColumns}
                    info={info}
                    onToggle={onToggle}
                  />
                );
              case 'more':
                return <MoreRow key={line.key} line={line} row={row} span={span} onMore={onMore} />;
              case 'wait':
                return <WaitRow key={line.key} row={row} span={span} />;
              default:
                return (
                  <RecordRow
                    key={line.key}
                    record={line.record}
                    row={row}
                    depth={line.depth}
                    info={info}
                    columns={tableColumns}
                    menu={menu}
                    isChosen={isChosen(selection, line.record.id)}
                    isStale={isStale}
                    isEditing={isEditing}
                    onSelect={onSelect}
                  />
                );
            }
          })}
          {after > 0 && <tr className="backend-space" style={{ height: after }} />}
        </tbody>
        {props.totals && <TotalsRow totals={props.totals} columns={tableColumns} info={info} />}
      </table>
    </div>
  );
}

function useTableColumns(info: ModelInfo, columns: readonly ColumnChoice[]): readonly TableColumn[] {
  return useMemo(
    () =>
      columns.flatMap(({ field: name }): TableColumn[] => {
        const field = info.fields[name];
        if (!field) return [];
        const { widget } = declaredColumn(info, name);
        const isNumber = widgetFor(field, widget).isNumber === true;
        return [{ field, label: columnLabel(info, name), widget, isNumber }];
      }),
    [info, columns],
  );
}

function SelectAll({
  ids,
  selection,
  setSelection,
  isStale,
}: {
  ids: readonly number[];
  selection: Selection;
  setSelection(selection: Selection): void;
  isStale: boolean;
}) {
  const count = ids.filter((id) => isChosen(selection, id)).length;
  const isAll = count > 0 && count === ids.length;
  return (
    <Check
      wrap="backend-select-box"
      aria-label={t('Select all on this page')}
      checked={isAll}
      disabled={ids.length === 0}
      aria-disabled={isStale || undefined}
      ref={(input) => {
        if (input) input.indeterminate = count > 0 && !isAll;
      }}
      onChange={() => setSelection(isAll ? emptySelection : { all: false, ids: new Set(ids) })}
    />
  );
}

function Head({
  header,
  column: { field, label, isNumber },
  order,
  onOrder,
  onWidth,
}: {
  header: Header<typeof features, never, unknown>;
  column: TableColumn;
  order: string;
  onOrder(order: string): void;
  onWidth(name: string, width: number): void;
}) {
  const [sortField, direction] = order.split(',')[0]?.trim().split(/\s+/) ?? [];
  const sorted = sortField === field.name ? (direction === 'desc' ? 'descending' : 'ascending') : 'none';
  const next = sorted === 'none' ? field.name : sorted === 'ascending' ? `${field.name} desc` : '';
  const onKey = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowRight' ? 16 : event.key === 'ArrowLeft' ? -16 : 0;
    if (step === 0) return;
    event.preventDefault();
    event.stopPropagation();
    onWidth(field.name, header.getSize() + step);
  };
  return (
    <th
      scope="col"
      aria-sort={field.sortable ? sorted : undefined}
      className={isNumber ? 'backend-number' : ''}
      title={field.help || label}
    >
      {field.sortable ? (
        <button type="button" className="backend-sort" onClick={() => onOrder(next)}>
          <span>{label}</span>
          {sorted !== 'none' && <Icon name={sorted === 'descending' ? 'arrow-down' : 'arrow-up'} />}
        </button>
      ) : (
        <span className="backend-sort">
          <span>{label}</span>
        </span>
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: a movable separator, not a break between paragraphs */}
      <div
        role="separator"
        aria-orientation="vertical"
        aria-label={t('Width of “{name}”', { name: label })}
        aria-valuenow={Math.round(header.getSize())}
        aria-valuemin={MIN_WIDTH}
        aria-valuemax={MAX_WIDTH}
        tabIndex={0}
        className={`backend-resize${header.column.getIsResizing() ? ' resizing' : ''}`}
        onMouseDown={header.getResizeHandler()}
        onTouchStart={header.getResizeHandler()}
        onKeyDown={onKey}
      />
    </th>
  );
}
