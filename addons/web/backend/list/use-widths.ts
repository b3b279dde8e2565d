import { columnResizingFeature, columnSizingFeature, tableFeatures, useTable } from '@tanstack/react-table';
import { type RefObject, useCallback, useLayoutEffect, useMemo, useState } from 'react';
import { type ColumnChoice, columnWidths } from './columns.ts';
import type { TableColumn } from './record-table.tsx';

/** What lists take of the table's library. */
export const features = tableFeatures({ columnSizingFeature, columnResizingFeature });

/** How wide the place of the list is, as it changes; 0 as long as nobody knows. */
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

/** CSS pixels between which a column may be made. */
export const NARROWEST = 56;
export const WIDEST = 900;

/** Widths of columns while they are dragged, and what is kept of them afterwards. */
export function useWidths(
  shown: readonly TableColumn[],
  columns: readonly ColumnChoice[],
  onColumns: (columns: readonly ColumnChoice[]) => void,
  room: number,
) {
  const definitions = useMemo(
    () => shown.map(({ field }) => ({ id: field.name, accessorKey: field.name, minSize: NARROWEST, maxSize: WIDEST })),
    [shown],
  );
  const columnSizing = useMemo(() => {
    const wanted = shown.map(({ field, label }) => {
      const width = columns.find((column) => column.field === field.name)?.width ?? null;
      return { field, label, width };
    });
    const widths = columnWidths(wanted, Math.max(room, 0));
    return Object.fromEntries(shown.map(({ field }, index) => [field.name, widths[index] ?? NARROWEST]));
  }, [shown, columns, room]);
  const setWidth = useCallback(
    (name: string, width: number) => {
      const kept = Math.round(Math.min(Math.max(width, NARROWEST), WIDEST));
      onColumns(columns.map((column) => (column.field === name ? { ...column, width: kept } : column)));
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
