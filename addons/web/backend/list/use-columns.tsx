import { useCallback, useMemo, useRef, useState } from 'react';
import { remember } from '../lib/calls.ts';
import { useStart } from '../lib/start.tsx';
import type { ModelInfo } from '../types.ts';
import { type ColumnChoice, isListable } from './columns.ts';

/** Milliseconds between the last change and saving the choice. */
const SAVE_DELAY_MS = 800;

/** Columns of a list: from the saved view, else the user's previous choice, else the addon. Choices are stored per user. */
export function useColumns(
  info: ModelInfo,
  saved: readonly ColumnChoice[] | null,
): { columns: readonly ColumnChoice[]; setColumns(columns: readonly ColumnChoice[]): void; reset(): void } {
  const { preferences } = useStart();
  const key = `list:${info.name}`;
  const [userChoice, setUserChoice] = useState<readonly ColumnChoice[] | null>(() => choicesIn(preferences[key]));
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const columns = useMemo(() => {
    const choices = saved ?? userChoice ?? [];
    const supported = choices.filter(({ field }) => info.fields[field] && isListable(info.fields[field]));
    return supported.length > 0 ? supported : firstColumns(info);
  }, [saved, userChoice, info]);
  const saveChoice = useCallback(
    (value: readonly ColumnChoice[] | null) => {
      setUserChoice(value);
      clearTimeout(timer.current);
      // If saving fails, the choice lasts until the page is closed; the user isn't notified.
      timer.current = setTimeout(() => void remember(key, value).catch(console.warn), SAVE_DELAY_MS);
    },
    [key],
  );
  return { columns, setColumns: saveChoice, reset: () => saveChoice(null) };
}

function firstColumns(info: ModelInfo): ColumnChoice[] {
  return info.list.columns.filter(({ optional }) => !optional).map(({ field }) => ({ field, width: null }));
}

function choicesIn(value: unknown): readonly ColumnChoice[] | null {
  if (!Array.isArray(value)) return null;
  const choices = value.flatMap((column: unknown): ColumnChoice[] => {
    if (typeof column !== 'object' || column === null || !('field' in column) || typeof column.field !== 'string')
      return [];
    const width = 'width' in column && typeof column.width === 'number' ? column.width : null;
    return [{ field: column.field, width }];
  });
  return choices.length > 0 ? choices : null;
}
