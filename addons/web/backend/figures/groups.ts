import type { ListState } from '../list/list-state.ts';
import type { RawGroup } from '../list/totals.ts';
import { groupTitle, groupValueLabel } from '../list/use-records.ts';
import type { Domain, ModelInfo } from '../types.ts';

/** Returns the label of a group for one of its grouping fields. */
export function titleOf(group: RawGroup, grouping: string, info: ModelInfo): string {
  return groupTitle({ label: groupValueLabel(group[grouping], info, grouping.split(':')[0] ?? grouping) });
}

/** Returns the domain of a group's records, without the conditions that all groups share. */
export function conditionsOf(group: RawGroup, baseDomain: Domain): Domain {
  const all = Array.isArray(group.__domain) ? group.__domain : [];
  return all.slice(0, all.length - baseDomain.length);
}

/** Returns the list of the records behind a figure, with the conditions they share as a chip. */
export function recordsBehind(state: ListState, label: string, conditions: Domain): Partial<ListState> {
  const chips =
    conditions.length > 0 ? [...state.chips, { kind: 'domain' as const, label, domain: conditions }] : state.chips;
  return { view: 'list', groupBy: [], saved: null, chips };
}

/** Whether a grouping is by a period of time. */
export function isByTime(grouping: string, { fields }: ModelInfo): boolean {
  const kind = fields[grouping.split(':')[0] ?? '']?.kind;
  return kind === 'date' || kind === 'datetime';
}
