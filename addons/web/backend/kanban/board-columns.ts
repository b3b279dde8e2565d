import type { Group } from '../list/use-records.ts';
import type { Domain, FieldInfo } from '../types.ts';

/**
 * The columns of a board. Every value of a selection has one, in the selection's order, also where no card is yet: one can be dragged there. What is none
 * of these values comes behind them; of other fields only what cards have.
 */
export function boardColumns(groups: readonly Group[], field: FieldInfo | undefined, domain: Domain): readonly Group[] {
  if (!field || field.selection.length === 0) return groups;
  const { name } = field;
  const columns = field.selection.map(
    ([value, label]): Group =>
      groups.find(({ totals }) => totals[name] === value) ?? {
        path: `/${JSON.stringify(value)}`,
        depth: 0,
        label,
        count: 0,
        totals: { [name]: value },
        domain: [[name, '=', value], ...domain],
      },
  );
  return [...columns, ...groups.filter((group) => !columns.includes(group))];
}
