import type { ListState } from '../list/list-state.ts';
import type { RawGroup } from '../list/totals.ts';
import { groupTitle, groupValueLabel } from '../list/use-records.ts';
import type { Domain, ModelInfo } from '../types.ts';

/** What a group is called by one of the fields it is grouped by. */
export function titleOf(group: RawGroup, by: string, info: ModelInfo): string {
  return groupTitle({ label: groupValueLabel(group[by], info, by.split(':')[0] ?? by) });
}

/** What finds a group's records among those that were grouped. */
export function conditionsOf(group: RawGroup, given: Domain): Domain {
  const all = Array.isArray(group.__domain) ? group.__domain : [];
  return all.slice(0, all.length - given.length);
}

/** The list of the records behind a figure; what they have in common stands there as a chip. */
export function recordsBehind(state: ListState, label: string, conditions: Domain): Partial<ListState> {
  const chips =
    conditions.length > 0 ? [...state.chips, { kind: 'domain' as const, label, domain: conditions }] : state.chips;
  return { view: 'list', groupBy: [], saved: null, chips };
}

/** Whether a grouping is by a stretch of time. */
export function isByTime(by: string, { fields }: ModelInfo): boolean {
  const kind = fields[by.split(':')[0] ?? '']?.kind;
  return kind === 'date' || kind === 'datetime';
}
