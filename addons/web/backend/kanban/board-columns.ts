import type { Group } from '../list/use-records.ts';
import type { Domain, FieldInfo } from '../types.ts';

/**
 * Returns the columns of a board. Every value of a selection has one, in the selection's order, even without cards, so that cards can be
 * dragged there. Cards with any other value come last. Other fields only have columns for existing cards.
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
