import { addressOfHash, trailOf } from '../../lib/addresses.ts';
import { matches } from '../../lib/domain.ts';
import { fromLocalInput, localInput } from '../../lib/moments.ts';
import { groupable, isChip, PAGE_SIZE, readState, viewsOf, writeState } from '../../list/list-state.ts';
import { emptySelection, extended, isChosen, selectionSize, toggled } from '../../list/selection.ts';
import type { FieldInfo, ModelInfo } from '../../types.ts';
import { chipDomain, listDomain } from '../chip-domain.ts';
import { type Clock, daysOf, groupDomain, joinDomains, opsOf, type Period, ruleDomain } from '../conditions.ts';

const clock: Clock = { timezone: 'Europe/Paris', siteTimezone: 'Europe/Paris', today: '2026-11-21' };
const field = (name: string, about: Partial<FieldInfo> = {}): FieldInfo =>
  ({
    name,
    kind: 'char',
    label: name,
    store: true,
    groupable: true,
    relation: null,
    selection: [],
    ...about,
  }) as FieldInfo;
const info = {
  name: 'x.thing',
  nameField: 'name',
  fullText: false,
  fields: {
    name: field('name'),
    email: field('email'),
    day: field('day', { kind: 'date' }),
    at: field('at', { kind: 'datetime' }),
    partner_id: field('partner_id', { kind: 'many2one', relation: 'res.partner' }),
    tags: field('tags', { kind: 'many2many', relation: 'x.tag', groupable: false }),
    total: field('total', { kind: 'money', groupable: false }),
  },
  kanban: null,
  calendar: { title: 'name', start: 'at', end: null, allDay: null, color: null },
  search: {
    fields: ['name', 'email'],
    filters: [
      { id: 'mine', label: 'Mine', domain: [['user_id', '=', 1]] },
      {
        id: 'late',
        label: 'Late',
        domain: [
          ['day', '<', '2026-01-01'],
          ['done', '=', false],
        ],
      },
    ],
    groups: [],
  },
} as unknown as ModelInfo;

it('domains are joined so that each stays whole', () => {
  expect(joinDomains([])).toEqual([]);
  expect(joinDomains([[['a', '=', 1]], []])).toEqual([['a', '=', 1]]);
  expect(
    joinDomains(
      [
        [
          ['a', '=', 1],
          ['b', '=', 2],
        ],
        [['c', '=', 3]],
      ],
      true,
    ),
  ).toEqual(['|', '&', ['a', '=', 1], ['b', '=', 2], ['c', '=', 3]]);
  expect(
    joinDomains([
      ['|', ['a', '=', 1], ['b', '=', 2]],
      ['!', ['c', '=', 3]],
    ]),
  ).toEqual(['&', '|', ['a', '=', 1], ['b', '=', 2], '!', ['c', '=', 3]]);
});

it('a list is its menu’s domain, any of the presets, and all that was looked for', () => {
  const chips = [
    { kind: 'preset', id: 'mine' },
    { kind: 'preset', id: 'late' },
    { kind: 'text', text: 'ada', field: null },
  ] as const;
  expect(listDomain([['state', '=', 'sale']], chips, info, clock)).toEqual([
    '&',
    '&',
    ['state', '=', 'sale'],
    '|',
    ['user_id', '=', 1],
    '&',
    ['day', '<', '2026-01-01'],
    ['done', '=', false],
    '|',
    ['name', 'ilike', 'ada'],
    ['email', 'ilike', 'ada'],
  ]);
  expect(chipDomain({ kind: 'preset', id: 'gone' }, info, clock)).toEqual([]);
  // Default search of the model if no fields are declared.
  const bare = { ...info, search: { ...info.search, fields: [] } };
  const text = { kind: 'text', text: '7', field: null } as const;
  expect(chipDomain(text, { ...bare, fullText: true }, clock)).toEqual([['id', 'matches', '7']]);
  expect(chipDomain(text, bare, clock)).toEqual([['name', 'ilike', '7']]);
  expect(chipDomain(text, { ...bare, nameField: null }, clock)).toEqual([['id', '=', 7]]);
});

it.each<[Period, string, string]>([
  ['today', '2026-11-21', '2026-11-22'],
  ['yesterday', '2026-11-20', '2026-11-21'],
  ['tomorrow', '2026-11-22', '2026-11-23'],
  ['this_week', '2026-11-16', '2026-11-23'],
  ['last_week', '2026-11-09', '2026-11-16'],
  ['this_month', '2026-11-01', '2026-12-01'],
  ['last_month', '2026-10-01', '2026-11-01'],
  ['this_year', '2026-01-01', '2027-01-01'],
  ['last_7_days', '2026-11-15', '2026-11-22'],
  ['last_30_days', '2026-10-23', '2026-11-22'],
  ['next_7_days', '2026-11-21', '2026-11-28'],
])('%s is from %s to before %s', (period, start, end) => {
  expect(daysOf(period, clock.today)).toEqual({ start, end });
});

it('moments are compared with days as the user’s clock has them, over the changes of summer time', () => {
  const rule = (op: 'is' | 'at_least' | 'at_most', value: string) =>
    ruleDomain({ field: 'at', op, value }, info.fields.at as FieldInfo, clock);
  expect(rule('is', '2026-07-14')).toEqual([
    '&',
    ['at', '>=', '2026-07-13 22:00:00'],
    ['at', '<', '2026-07-14 22:00:00'],
  ]);
  expect(rule('is', '2026-10-25')).toEqual([
    '&',
    ['at', '>=', '2026-10-24 22:00:00'],
    ['at', '<', '2026-10-25 23:00:00'],
  ]);
  expect(rule('at_least', '2026-11-21')).toEqual([['at', '>=', '2026-11-20 23:00:00']]);
  expect(rule('at_most', '2026-11-21')).toEqual([['at', '<', '2026-11-21 23:00:00']]);
  expect(localInput('2026-11-21 10:00:00', 'Europe/Paris')).toBe('2026-11-21T11:00');
  expect(fromLocalInput('2026-11-21T11:00', 'Europe/Paris')).toBe('2026-11-21 10:00:00');
  expect(fromLocalInput('', 'Europe/Paris')).toBe(false);
});

it('conditions that lack their value are left out; groups may stand in groups', () => {
  const rules = [
    { field: 'name', op: 'contains', value: 'a' },
    { field: 'email', op: 'contains', value: '' },
    {
      any: false,
      rules: [
        { field: 'partner_id', op: 'is', value: [7, 'Ada'] },
        { field: 'day', op: 'unset', value: false },
      ],
    },
    { field: 'gone', op: 'is', value: 1 },
  ] as const;
  expect(groupDomain({ any: true, rules }, info.fields, clock)).toEqual([
    '|',
    ['name', 'ilike', 'a'],
    '&',
    ['partner_id', '=', 7],
    ['day', '=', false],
  ]);
  expect(opsOf('boolean')).toEqual(['yes', 'no']);
});

it('what a list shows comes back from its address; what does not fit is left out', () => {
  const state = {
    chips: [{ kind: 'text', text: 'é & ü', field: null }],
    groupBy: ['partner_id', 'day:month'],
    order: 'name desc',
    page: 2,
    saved: null,
    view: 'pivot',
    graph: { chart: 'line', measure: '__count', sort: 'desc' },
    pivot: { columns: ['day:week'], measures: ['__count'] },
  } as const;
  const query = writeState(new URLSearchParams('menu=m'), state);
  expect(query.get('menu')).toBe('m');
  const plain = {
    chips: [],
    groupBy: [],
    order: '',
    page: 0,
    saved: null,
    view: '',
    graph: {},
    pivot: { columns: [] },
  } as const;
  expect(writeState(new URLSearchParams(), plain).toString()).toBe(
    new URLSearchParams({ list: '{"pivot":{"columns":[]}}' }).toString(),
  );
  expect(readState(new URLSearchParams(query.toString()), info)).toEqual(state);
  expect(readState(new URLSearchParams(), info)).toBeNull();
  expect(readState(new URLSearchParams('list=nonsense'), info)).toBeNull();
  const odd = JSON.stringify({
    chips: [{ kind: 'text' }, 3],
    groupBy: ['total', 'gone'],
    order: 'name; drop',
    page: -1,
    graph: { chart: 'cake', measure: 'total:sum', sort: 'up' },
    pivot: { columns: ['gone'], measures: ['nope:sum', 3] },
  });
  expect(readState(new URLSearchParams({ list: odd }), info)).toEqual(plain);
  expect(groupable(['partner_id', 'day', 'at', 'name'], info)).toEqual(['partner_id', 'day', 'at']);
  expect(
    isChip({ kind: 'rules', group: { rules: [{ rules: [{ rules: [{ rules: [{ rules: [{ rules: [] }] }] }] }] }] } }),
  ).toBe(false);
  expect(PAGE_SIZE).toBe(80);
  expect(viewsOf(info, ['calendar', 'list', 'form', 'kanban'])).toEqual(['calendar', 'list', 'graph', 'pivot']);
});

it('records are chosen one by one, from one to another, or all of them', () => {
  const inSight = [5, 6, 7, 8];
  const one = toggled(emptySelection, 6, inSight);
  expect(isChosen(one, 6)).toBe(true);
  expect(selectionSize(toggled(one, 6, inSight), 100)).toBe(0);
  expect(selectionSize(extended(one, 6, 8, inSight), 100)).toBe(3);
  expect(selectionSize(extended(emptySelection, 8, 5, inSight), 100)).toBe(4);
  expect(selectionSize({ all: true }, 100)).toBe(100);
  // Deselecting one of all selects the visible others, so that invisible records aren't changed by mistake.
  expect(selectionSize(toggled({ all: true }, 6, inSight), 100)).toBe(3);
});

it('a condition on a form is worked out from its values', () => {
  const values = { state: 'sale', partner_id: [3, 'Ada'], tags: [1, 2], total: 5, note: false, done: false };
  expect(matches([['state', '=', 'sale']], values)).toBe(true);
  expect(
    matches(
      [
        ['partner_id', '=', 3],
        ['tags', 'in', [2]],
      ],
      values,
    ),
  ).toBe(true);
  expect(matches(['|', ['note', '!=', false], ['total', '>=', 5]], values)).toBe(true);
  expect(matches(['!', ['state', 'in', ['draft', 'sent']]], values)).toBe(true);
  expect(
    matches(
      [
        ['note', '=', null],
        ['done', '=', false],
      ],
      values,
    ),
  ).toBe(true);
  expect(matches([['total', '<', 5]], values)).toBe(false);
  expect(matches([['partner_id.name', '=', 'Ada']], values)).toBe(false);
});

it('a backend link of Odoo’s shape leads to the record, and its label back to the page it was on', () => {
  const of = (hash: string, from = 'https://club.example/matchs?x=1') =>
    addressOfHash(hash, from, 'https://club.example');
  expect(of('#return_label=Website&model=blog.post&id=4')).toEqual({
    to: '/web/m/blog.post/4',
    state: { trail: [{ label: 'Website', to: '/matchs?x=1' }] },
  });
  expect(
    of('#model=blog.post&id=4&view_type=form&return_label=Site', 'https://evil.example/')?.state.trail[0]?.to,
  ).toBe('/');
  expect(of('#model=blog.post&view_type=list')?.to).toBe('/web/m/blog.post');
  expect(of('#model=blog.post&view_type=kanban')?.to).toBe('/web/m/blog.post?view=kanban');
  expect(of('#model=blog.post&view_type=form')?.to).toBe('/web/m/blog.post/new');
  expect(of('#model=../../x&id=1')).toBeNull();
  expect(of('#section')).toBeNull();
  expect(trailOf(null)).toEqual([]);
});

it('takes the days of places where a field stores them, and the zone of the site where it declares it', () => {
  const period = (field: object) =>
    ruleDomain(
      { field: 'begins', op: 'period', value: 'today' },
      { name: 'begins', kind: 'datetime', ...field } as FieldInfo,
      {
        timezone: 'Asia/Tokyo',
        siteTimezone: 'Europe/Paris',
        today: '2026-11-21',
      },
    );
  expect(period({ timezoneField: 'zone', dayField: 'begin_day' })).toEqual([
    ['begin_day', '>=', '2026-11-21'],
    ['begin_day', '<', '2026-11-22'],
  ]);
  expect(period({ timezoneField: '@site', dayField: null })).toEqual([
    ['begins', '>=', '2026-11-20 23:00:00'],
    ['begins', '<', '2026-11-21 23:00:00'],
  ]);
  expect(period({ timezoneField: null, dayField: null })).toEqual([
    ['begins', '>=', '2026-11-20 15:00:00'],
    ['begins', '<', '2026-11-21 15:00:00'],
  ]);
});
