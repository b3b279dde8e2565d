import { columnResizingFeature, columnSizingFeature, tableFeatures, useTable } from '@tanstack/react-table';
import { type RefObject, useCallback, useLayoutEffect, useMemo, useState } from 'react';
import { type ColumnChoice, columnWidths } from './columns.ts';
import type { TableColumn } from './record-table.tsx';

/** Features of the table library used by lists. */
export const features = tableFeatures({ columnSizingFeature, columnResizingFeature });

/** Current width of the list's container; 0 until it is measured. */
export function useRoom(place: RefObject<HTMLElement | null>): number {
  const [room, setRoom] = useState(0);
  useLayoutEffect(() => {
    const element = place.current;
    if (!element) return undefined;
    setRoom(element.clientWidth);
    if (typeof ResizeObserver === 'undefined') return undefined;
    const watch = new ResizeObserver(() => setRoom(element.clientWidth));
    watch.observe(element);
    return () => watch.disconnect();
  }, [place]);
  return room;
}

const noRows: readonly never[] = Object.freeze([]);

/** Limits of column widths in CSS pixels. */
export const MIN_WIDTH = 56;
export const MAX_WIDTH = 900;

/** Column widths while they are dragged, and the widths to save afterwards. */
export function useWidths(
  tableColumns: readonly TableColumn[],
  columns: readonly ColumnChoice[],
  onColumns: (columns: readonly ColumnChoice[]) => void,
  room: number,
) {
  const definitions = useMemo(
    () =>
      tableColumns.map(({ field }) => ({
        id: field.name,
        accessorKey: field.name,
        minSize: MIN_WIDTH,
        maxSize: MAX_WIDTH,
      })),
    [tableColumns],
  );
  const columnSizing = useMemo(() => {
    const unsized = tableColumns.map(({ field, label }) => {
      const width = columns.find((column) => column.field === field.name)?.width ?? null;
      return { field, label, width };
    });
    const widths = columnWidths(unsized, Math.max(room, 0));
    return Object.fromEntries(tableColumns.map(({ field }, index) => [field.name, widths[index] ?? MIN_WIDTH]));
  }, [tableColumns, columns, room]);
  const setWidth = useCallback(
    (name: string, width: number) => {
      const clamped = Math.round(Math.min(Math.max(width, MIN_WIDTH), MAX_WIDTH));
      onColumns(columns.map((column) => (column.field === name ? { ...column, width: clamped } : column)));
    },
    [columns, onColumns],
  );
  const table = useTable({
    features,
    columns: definitions,
    data: noRows,
    columnResizeMode: 'onEnd',
    state: { columnSizing },
    onColumnSizingChange: (updater) => {
      const next = typeof updater === 'function' ? updater(columnSizing) : updater;
      for (const [name, width] of Object.entries(next)) if (width !== columnSizing[name]) setWidth(name, width);
    },
  });
  return Object.assign(table, { setWidth });
}
