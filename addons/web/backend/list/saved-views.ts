import { useSuspenseQuery } from '@tanstack/react-query';
import { callKw, createRecord, unlinkRecords, type WireRecord, writeRecords } from '../lib/calls.ts';
import { isNamed } from '../lib/format.ts';
import type { Chip } from '../search/conditions.ts';
import type { ColumnChoice } from './columns.ts';
import { isChip, type ListState, type ShownView, viewIn } from './list-state.ts';

/** A list, graph or other view saved under a name. */
export interface SavedView {
  readonly id: number;
  readonly name: string;
  readonly isShared: boolean;
  readonly isOwn: boolean;
  readonly isDefault: boolean;
  readonly chips: readonly Chip[];
  readonly groupBy: readonly string[];
  readonly order: string;
  readonly columns: readonly ColumnChoice[] | null;
  readonly view: ShownView | '';
  /** As saved; its screen drops what the model doesn't support. */
  readonly graph: unknown;
  readonly pivot: unknown;
}

export const savedKey = (model: string) => ['records', 'ir.filters', model] as const;

/** Returns the user's saved views of a model and the shared ones; suspends until they have loaded. */
export function useSavedViews(model: string, userId: number): readonly SavedView[] {
  return useSuspenseQuery({
    queryKey: savedKey(model),
    queryFn: () =>
      callKw<WireRecord[]>('ir.filters', 'search_read', [], {
        domain: [['model_id', '=', model]],
        fields: ['name', 'user_id', 'create_uid', 'view', 'is_default'],
        limit: 200,
      }),
    staleTime: 60_000,
    select: (records) => records.map((record) => savedView(record, userId)),
  }).data;
}

function savedView(
  { id, name, user_id: user, create_uid: maker, view, is_default }: WireRecord,
  userId: number,
): SavedView {
  const stored = (typeof view === 'object' && view !== null ? view : {}) as Record<string, unknown>;
  const { filters, groupBy, order, columns, graph, pivot } = stored;
  const isShared = !isNamed(user);
  return {
    id,
    name: String(name),
    isShared,
    isOwn: isNamed(user) ? user[0] === userId : isNamed(maker) && maker[0] === userId,
    isDefault: is_default === true,
    chips: Array.isArray(filters) ? filters.filter(isChip) : [],
    groupBy: Array.isArray(groupBy) ? groupBy.filter((grouping) => typeof grouping === 'string') : [],
    order: typeof order === 'string' ? order : '',
    columns: Array.isArray(columns) ? (columns as ColumnChoice[]) : null,
    view: viewIn(stored.view),
    graph,
    pivot,
  };
}

/** Saves the state of a list as a view. Shared views are visible to everyone. */
export function saveView(input: {
  readonly model: string;
  readonly userId: number;
  readonly name: string;
  readonly isShared: boolean;
  readonly isDefault: boolean;
  readonly state: ListState;
  readonly columns: readonly ColumnChoice[];
}): Promise<number> {
  const { model, userId, name, isShared, isDefault, state, columns } = input;
  return createRecord('ir.filters', {
    name,
    model_id: model,
    user_id: isShared ? false : userId,
    is_default: isDefault,
    view: shown(state, columns),
  });
}

export function replaceView(id: number, state: ListState, columns: readonly ColumnChoice[]): Promise<true> {
  return writeRecords('ir.filters', [id], { view: shown(state, columns) });
}

function shown({ chips, groupBy, order, view, graph, pivot }: ListState, columns: readonly ColumnChoice[]) {
  return { filters: chips, groupBy, order, columns, view, graph, pivot };
}

export function removeView(id: number): Promise<true> {
  return unlinkRecords('ir.filters', [id]);
}
