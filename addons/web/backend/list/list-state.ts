import type { Chip } from '../search/conditions.ts';
import type { ChartKind, ModelInfo, ViewKind } from '../types.ts';

/** Number of records per page of a list. */
export const PAGE_SIZE = 80;

/** Views of a list of records. */
export type ShownView = Exclude<ViewKind, 'form'>;
const shownViews = ['list', 'kanban', 'calendar', 'graph', 'pivot'] as const satisfies readonly ShownView[];

/** User's changes to a graph; everything else follows the model's view. */
export interface GraphChoice {
  readonly chart?: ChartKind;
  readonly measure?: string;
  readonly stacked?: boolean;
  /** Sorts by value instead of name or time. */
  readonly sort?: 'asc' | 'desc';
}
/** User's changes to a pivot table, whose rows are the list's groupings. */
export interface PivotChoice {
  readonly columns?: readonly string[];
  readonly measures?: readonly string[];
  /** Paths of collapsed rows. */
  readonly closed?: 'all' | readonly string[];
}

/** State of a list, as stored in its address. */
export interface ListState {
  readonly chips: readonly Chip[];
  /** `partner_id`, `date_order:month`; three at most. */
  readonly groupBy: readonly string[];
  /** Empty for the model's order. */
  readonly order: string;
  /** Counted from 0. */
  readonly page: number;
  /** Id of the saved view that it is based on. */
  readonly saved: number | null;
  /** Empty for the menu's default. */
  readonly view: ShownView | '';
  readonly graph: GraphChoice;
  readonly pivot: PivotChoice;
}

export const emptyState: ListState = {
  chips: [],
  groupBy: [],
  order: '',
  page: 0,
  saved: null,
  view: '',
  graph: {},
  pivot: {},
};

const MAX_GROUPS = 3;

/**
 * Reads the state from an address. Skips invalid parts, so that an outdated or mistyped address still shows the list. Returns null if the
 * address has no state.
 */
export function readState(query: URLSearchParams, info: ModelInfo): ListState | null {
  const text = query.get('list');
  if (text === null) return null;
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof raw !== 'object' || raw === null) return null;
  const { chips, groupBy, order, page, saved, graph, pivot } = raw as Partial<Record<keyof ListState, unknown>>;
  return {
    chips: Array.isArray(chips) ? chips.filter(isChip) : [],
    groupBy: groupable(Array.isArray(groupBy) ? groupBy.filter((grouping) => typeof grouping === 'string') : [], info),
    order: typeof order === 'string' && /^[\w., ]*$/.test(order) ? order : '',
    page: typeof page === 'number' && Number.isSafeInteger(page) && page >= 0 ? page : 0,
    saved: typeof saved === 'number' ? saved : null,
    view: viewIn(query.get('view')),
    graph: readGraph(graph, info),
    pivot: readPivot(pivot, info),
  };
}

/** Returns a view by its name, or an empty string if it is unknown. */
export function viewIn(name: unknown): ShownView | '' {
  return shownViews.find((view) => view === name) ?? '';
}

/** Parses a graph choice and drops everything the model doesn't support. */
export function readGraph(raw: unknown, info: ModelInfo): GraphChoice {
  const { chart, measure, stacked, sort } = objectOf(raw);
  return {
    ...(chart === 'bar' || chart === 'line' || chart === 'pie' ? { chart } : {}),
    ...(isMeasure(measure, info) ? { measure } : {}),
    ...(typeof stacked === 'boolean' ? { stacked } : {}),
    ...(sort === 'asc' || sort === 'desc' ? { sort } : {}),
  };
}

/** Parses a pivot choice and drops everything the model doesn't support. */
export function readPivot(raw: unknown, info: ModelInfo): PivotChoice {
  const { columns, measures, closed } = objectOf(raw);
  const supported = Array.isArray(measures) ? measures.filter((measureName) => isMeasure(measureName, info)) : [];
  return {
    ...(Array.isArray(columns) ? { columns: groupable(columns.map(String), info) } : {}),
    ...(supported.length > 0 ? { measures: supported } : {}),
    ...(closed === 'all' ? { closed } : Array.isArray(closed) ? { closed: closed.map(String) } : {}),
  };
}

function objectOf(raw: unknown): Readonly<Record<string, unknown>> {
  return typeof raw === 'object' && raw !== null ? (raw as Readonly<Record<string, unknown>>) : {};
}

function isMeasure(value: unknown, { fields }: ModelInfo): value is string {
  if (typeof value !== 'string') return false;
  return (
    value === '__count' ||
    (/:(sum|avg|min|max|count_distinct)$/.test(value) && fields[value.split(':')[0] ?? '']?.groupable === true)
  );
}

/** Returns the groupings supported by the model. */
export function groupable(groupBy: readonly string[], info: ModelInfo): string[] {
  return groupBy.filter((grouping) => info.fields[grouping.split(':')[0] ?? '']?.groupable).slice(0, MAX_GROUPS);
}

export function isChip(value: unknown): value is Chip {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return false;
  const chip = value as Record<string, unknown>;
  switch (chip.kind) {
    case 'text':
      return typeof chip.text === 'string' && (chip.field === null || typeof chip.field === 'string');
    case 'preset':
      return typeof chip.id === 'string';
    case 'rules':
      return isGroup(chip.group, 0);
    case 'domain':
      return typeof chip.label === 'string' && Array.isArray(chip.domain);
    default:
      return false;
  }
}

const MAX_DEPTH = 4;

function isGroup(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return false;
  const { rules } = value as Record<string, unknown>;
  return (
    Array.isArray(rules) &&
    rules.every((rule: unknown) => {
      if (typeof rule !== 'object' || rule === null) return false;
      return 'rules' in rule ? isGroup(rule, depth + 1) : 'field' in rule && 'op' in rule;
    })
  );
}

/** Writes a state to the query string, without defaults. */
export function writeState(query: URLSearchParams, state: ListState): URLSearchParams {
  const next = new URLSearchParams(query);
  const { view, ...listState } = state;
  const changed = Object.entries(listState).filter(([, value]) => {
    if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
    return value !== '' && value !== 0 && value !== null;
  });
  next.set('list', JSON.stringify(Object.fromEntries(changed)));
  if (view) next.set('view', view);
  else next.delete('view');
  return next;
}

/** Returns the views of a model in the menu's order. List, graph and pivot always exist. */
export function viewsOf(info: ModelInfo, preferred: readonly ViewKind[]): readonly ShownView[] {
  const available = shownViews.filter((view) => info[view] !== null);
  const ordered = preferred.filter((view) => view !== 'form').filter((view) => available.includes(view));
  return [...ordered, ...available.filter((view) => !ordered.includes(view))];
}
