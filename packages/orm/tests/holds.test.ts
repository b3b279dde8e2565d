import { holds } from '../write/holds.ts';

const record = {
  state: 'sale',
  partner_id: { id: 3, city: 'Lyon' },
  company_id: 7,
  line_ids: [{ state: 'open' }, { state: 'done' }],
  tag_ids: [1, 2],
  note: null,
  done: false,
  total: '10.50',
};

it('a condition is compared with what was read: records by their ids, nothing where there is none', () => {
  expect(holds([['state', '=', 'sale']], record)).toBe(true);
  expect(
    holds(
      [
        ['partner_id', '=', 3],
        ['company_id', 'in', [6, 7]],
        ['tag_ids', 'in', [2]],
      ],
      record,
    ),
  ).toBe(true);
  expect(holds(['|', ['note', '!=', false], ['state', 'not in', ['draft']]], record)).toBe(true);
  expect(holds(['!', ['state', 'in', ['draft', 'sent']]], record)).toBe(true);
  expect(
    holds(
      [
        ['note', '=', null],
        ['done', '=', false],
      ],
      record,
    ),
  ).toBe(true);
  expect(holds([['tag_ids', '=', null]], record)).toBe(false);
  expect(holds([['tag_ids', '=', null]], { tag_ids: [] })).toBe(true);
});

it('a path holds where it does for any record behind it', () => {
  expect(holds([['partner_id.city', '=', 'Lyon']], record)).toBe(true);
  expect(holds([['line_ids.state', 'in', ['done']]], record)).toBe(true);
  expect(holds([['line_ids.state', '=', 'late']], record)).toBe(false);
  expect(holds(['!', ['line_ids.state', '=', 'late']], record)).toBe(true);
  expect(holds([['line_ids.state', '!=', 'late']], { line_ids: [] })).toBe(false);
});

it('amounts are compared as numbers, and nothing is neither more nor less', () => {
  expect(holds([['total', '>', 9]], record)).toBe(true);
  expect(holds([['total', '=', 10.5]], record)).toBe(true);
  expect(holds(['|', ['note', '<', 1], ['note', '>=', 1]], record)).toBe(false);
  expect(holds([['state', '<=', 'sale']], record)).toBe(true);
});
