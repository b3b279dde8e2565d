import type { Chip } from '../search/conditions.ts';
import type { ModelInfo, ViewKind } from '../types.ts';

/** How many records a page of a list holds. */
export const PAGE_SIZE = 80;

/** What a list shows, as its address keeps it. */
export interface ListState {
  readonly chips: readonly Chip[];
  /** `partner_id`, `date_order:month`; at most three. */
  readonly groupBy: readonly string[];
  /** Empty: the model's own. */
  readonly order: string;
  /** From 0. */
  readonly page: number;
  /** The saved view that it began as. */
  readonly saved: number | null;
}

export const emptyState: ListState = { chips: [], groupBy: [], order: '', page: 0, saved: null };

const MOST_GROUPS = 3;

/** Reads an address; what does not fit is left out, so that an old or mistyped one still shows the list. Null: the address says nothing. */
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
  const { chips, groupBy, order, page, saved } = raw as Partial<Record<keyof ListState, unknown>>;
  return {
    chips: Array.isArray(chips) ? chips.filter(isChip) : [],
    groupBy: groupable(Array.isArray(groupBy) ? groupBy.filter((by) => typeof by === 'string') : [], info),
    order: typeof order === 'string' && /^[\w., ]*$/.test(order) ? order : '',
    page: typeof page === 'number' && Number.isSafeInteger(page) && page >= 0 ? page : 0,
    saved: typeof saved === 'number' ? saved : null,
  };
}

/** Those of the groupings that the model can do. */
export function groupable(groupBy: readonly string[], info: ModelInfo): string[] {
  return groupBy.filter((by) => info.fields[by.split(':')[0] ?? '']?.store).slice(0, MOST_GROUPS);
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

const MOST_DEPTH = 4;

function isGroup(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null || depth > MOST_DEPTH) return false;
  const { rules } = value as Record<string, unknown>;
  return (
    Array.isArray(rules) &&
    rules.every((rule: unknown) => {
      if (typeof rule !== 'object' || rule === null) return false;
      return 'rules' in rule ? isGroup(rule, depth + 1) : 'field' in rule && 'op' in rule;
    })
  );
}

/** The address's part for a state; what is as it is by itself is not written. */
export function writeState(query: URLSearchParams, state: ListState): URLSearchParams {
  const next = new URLSearchParams(query);
  const kept = Object.entries(state).filter(([, value]) =>
    Array.isArray(value) ? value.length > 0 : value !== '' && value !== 0 && value !== null,
  );
  next.set('list', JSON.stringify(Object.fromEntries(kept)));
  return next;
}

/** Which of the views a model has, in the order of the menu's; the list always. */
export function viewsOf(info: ModelInfo, wanted: readonly ViewKind[]): readonly ('list' | 'kanban' | 'calendar')[] {
  const there = (['list', 'kanban', 'calendar'] as const).filter((view) => view === 'list' || info[view] !== null);
  const named = wanted.filter(
    (view): view is 'list' | 'kanban' | 'calendar' => view !== 'form' && there.includes(view),
  );
  return [...named, ...there.filter((view) => !named.includes(view))];
}
