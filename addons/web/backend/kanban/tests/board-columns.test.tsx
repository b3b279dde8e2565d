import { field } from '../../form/tests/kit.tsx';
import type { Group } from '../../list/use-records.ts';
import { boardColumns } from '../board-columns.ts';

const group = (value: unknown, label: string): Group => ({
  path: `/${JSON.stringify(value)}`,
  depth: 0,
  label,
  count: 2,
  totals: { state: value },
  domain: [['state', '=', value]],
});
const state = field('state', {
  kind: 'selection',
  selection: [
    ['draft', 'Draft'],
    ['sent', 'Sent'],
    ['done', 'Done'],
  ],
});

test('a board by a selection has a column for every value, in their order, and those without one behind', () => {
  const done = group('done', 'Done');
  const without = group(false, '');
  const columns = boardColumns([without, done], state, [['name', '!=', false]]);
  expect(columns.map(({ label, count }) => [label, count])).toEqual([
    ['Draft', 0],
    ['Sent', 0],
    ['Done', 2],
    ['', 2],
  ]);
  expect(columns[1]).toMatchObject({
    totals: { state: 'sent' },
    domain: [
      ['state', '=', 'sent'],
      ['name', '!=', false],
    ],
  });
  expect(columns[2]).toBe(done);
});

test('a board by another field has what its cards have', () => {
  const groups = [group('x', 'X')];
  expect(boardColumns(groups, field('state'), [])).toBe(groups);
  expect(boardColumns(groups, undefined, [])).toBe(groups);
});
