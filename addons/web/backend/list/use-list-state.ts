import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import type { ModelInfo } from '../types.ts';
import { emptyState, groupable, type ListState, readState, writeState } from './list-state.ts';
import type { SavedView } from './saved-views.ts';

/** What the list shows, from the address; where that says nothing, the saved view that is shown at first. */
export function useListState(
  info: ModelInfo,
  saved: readonly SavedView[],
): { state: ListState; setState(change: Partial<ListState>): void } {
  const [query, setQuery] = useSearchParams();
  const first = saved.find(({ isDefault, isOwn }) => isDefault && isOwn) ?? saved.find(({ isDefault }) => isDefault);
  const state = useMemo(
    () => readState(query, info) ?? (first ? savedState(first, info) : emptyState),
    [query, info, first],
  );
  const setState = useCallback(
    (change: Partial<ListState>) =>
      setQuery((before) => {
        const now = readState(before, info) ?? (first ? savedState(first, info) : emptyState);
        // Whatever changes what is listed begins at the first page again.
        const page = 'page' in change ? {} : { page: 0 };
        return writeState(before, { ...now, ...page, ...change });
      }),
    [setQuery, info, first],
  );
  return { state, setState };
}

/** What a saved view shows. */
export function savedState(view: SavedView, info: ModelInfo): ListState {
  return { chips: view.chips, groupBy: groupable(view.groupBy, info), order: view.order, page: 0, saved: view.id };
}
