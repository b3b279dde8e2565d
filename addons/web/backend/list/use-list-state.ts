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

/** State of a list from the address, else from the default saved view. */
export function useListState(
  info: ModelInfo,
  saved: readonly SavedView[],
): { state: ListState; setState(change: Partial<ListState>): void } {
  const [query, setQuery] = useSearchParams();
  const first = saved.find(({ isDefault, isOwn }) => isDefault && isOwn) ?? saved.find(({ isDefault }) => isDefault);
  const state = useMemo(() => stateIn(query, info, first), [query, info, first]);
  const setState = useCallback(
    (change: Partial<ListState>) =>
      setQuery((previous) => {
        const now = stateIn(previous, info, first);
        // Any other change returns to the first page.
        const page = 'page' in change ? {} : { page: 0 };
        return writeState(previous, { ...now, ...page, ...change });
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

/** Returns the list state of a saved view. */
export function savedState(view: SavedView, info: ModelInfo): ListState {
  const { chips, order, id, view: viewKind, graph, pivot } = view;
  return {
    chips,
    groupBy: groupable(view.groupBy, info),
    order,
    page: 0,
    saved: id,
    view: viewKind,
    graph: readGraph(graph, info),
    pivot: readPivot(pivot, info),
  };
}
