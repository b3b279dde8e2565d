import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import type { ModelInfo } from '../types.ts';
import {
  emptyState,
  groupable,
  type ListState,
  readGraph,
  readPivot,
  readState,
  viewIn,
  writeState,
} from './list-state.ts';
import type { SavedView } from './saved-views.ts';

/** What the list shows, from the address; where that says nothing, the saved view that is shown at first. */
export function useListState(
  info: ModelInfo,
  saved: readonly SavedView[],
): { state: ListState; setState(change: Partial<ListState>): void } {
  const [query, setQuery] = useSearchParams();
  const first = saved.find(({ isDefault, isOwn }) => isDefault && isOwn) ?? saved.find(({ isDefault }) => isDefault);
  const state = useMemo(() => stateIn(query, info, first), [query, info, first]);
  const setState = useCallback(
    (change: Partial<ListState>) =>
      setQuery((before) => {
        const now = stateIn(before, info, first);
        // Whatever changes what is listed begins at the first page again.
        const page = 'page' in change ? {} : { page: 0 };
        return writeState(before, { ...now, ...page, ...change });
      }),
    [setQuery, info, first],
  );
  return { state, setState };
}

function stateIn(query: URLSearchParams, info: ModelInfo, first: SavedView | undefined): ListState {
  const read = readState(query, info);
  if (read) return read;
  const state = first ? savedState(first, info) : emptyState;
  return { ...state, view: viewIn(query.get('view')) || state.view };
}

/** What a saved view shows. */
export function savedState(view: SavedView, info: ModelInfo): ListState {
  const { chips, order, id, view: shown, graph, pivot } = view;
  return {
    chips,
    groupBy: groupable(view.groupBy, info),
    order,
    page: 0,
    saved: id,
    view: shown,
    graph: readGraph(graph, info),
    pivot: readPivot(pivot, info),
  };
}
