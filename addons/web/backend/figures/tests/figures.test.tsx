import { jest } from '@jest/globals';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { type ReactNode, useState } from 'react';
import { field, fillGaps, model, serve } from '../../form/tests/kit.tsx';
import { createQueryClient } from '../../lib/queries.ts';
import { StartProvider } from '../../lib/start.tsx';
import { TroubleProvider } from '../../lib/trouble.tsx';
import { emptyState, type ListState } from '../../list/list-state.ts';
import { type RawGroup, totalTexts } from '../../list/totals.ts';
import type { Start } from '../../types.ts';
import { measurable, measureTexts } from '../measures.ts';
import { crossings, pivotCells, rollUp, sortedRows, visibleRows } from '../pivot-cells.ts';
import { chartData, commonCurrency } from '../series.ts';

// Canvases need a real browser. The chart's data is also in the table next to it.
jest.unstable_mockModule('../chart.tsx', () => ({ default: ({ label }: { label: string }) => <p>Chart: {label}</p> }));

beforeAll(fillGaps);
afterEach(cleanup);
const user = userEvent.setup();

const start: Start = {
  user: { id: 1, partnerId: 1, name: 'Ada', login: 'ada', timezone: 'Europe/Paris', isAdmin: true, groups: [] },
  lang: 'en_US',
  siteTimezone: 'Europe/Paris',
  keepsMails: false,
  languages: [],
  currencies: { EUR: { digits: 2, before: '', after: '\u00a0€' }, USD: { digits: 2, before: '$', after: '' } },
  menus: [],
  preferences: {},
};
const info = model(
  'sale',
  [
    field('state', {
      label: 'State',
      kind: 'selection',
      selection: [
        ['new', 'New'],
        ['old', 'Old'],
      ],
    }),
    field('day', { label: 'Day', kind: 'date' }),
    field('city', { label: 'City' }),
    field('amount', { label: 'Amount', kind: 'money', currencyField: 'currency_id' }),
    field('currency_id', { label: 'Currency', kind: 'many2one' }),
    field('qty', { label: 'Quantity', kind: 'integer' }),
  ],
  {
    graph: { chart: 'bar', measure: 'amount:sum', groupBy: ['state'], stacked: true },
    pivot: { rows: ['state', 'city'], columns: [], measures: ['qty:sum', '__count'] },
  },
);
const [eur, usd] = [
  [1, 'EUR'],
  [2, 'USD'],
] as const;

function draw(children: ReactNode): void {
  render(
    <StartProvider start={start}>
      <QueryClientProvider client={createQueryClient()}>
        <TroubleProvider>{children}</TroubleProvider>
      </QueryClientProvider>
    </StartProvider>,
  );
}

const format = { ...start, currencies: start.currencies } as unknown as Parameters<typeof measureTexts>[3];
const given = [['active', '=', true]];
const about = { info, domain: given, groupBy: ['day:month', 'state'], measure: 'amount:sum', sort: undefined };

it('a chart has a place for each first group and a series for each second; amounts of currencies are series of their own', () => {
  const month = (name: string, from: string, to: string, rest: object): RawGroup => ({
    'day:month': name,
    __domain: [['day', '>=', from], ['day', '<', to], ['state', '=', 'new'], ...given],
    ...rest,
  });
  const groups = [
    month('November', '2026-11-01', '2026-12-01', {
      state: 'new',
      amount: [
        { currency: eur, amount: 10 },
        { currency: usd, amount: 7 },
      ],
    }),
    month('November', '2026-11-01', '2026-12-01', { state: 'old', amount: [{ currency: eur, amount: 5 }] }),
    month('December', '2026-12-01', '2027-01-01', { state: 'new', amount: [{ currency: eur, amount: 1 }] }),
  ];
  const data = chartData(groups, about);
  expect(data.series).toEqual([
    { label: 'New · EUR', currency: 'EUR' },
    { label: 'New · USD', currency: 'USD' },
    { label: 'Old · EUR', currency: 'EUR' },
  ]);
  expect(commonCurrency(data.series)).toBeNull();
  expect(commonCurrency(data.series.filter(({ currency }) => currency === 'EUR'))).toBe('EUR');
  expect(data.points).toEqual([
    {
      label: 'November',
      conditions: [
        ['day', '>=', '2026-11-01'],
        ['day', '<', '2026-12-01'],
      ],
      values: [10, 7, 5],
    },
    {
      label: 'December',
      conditions: [
        ['day', '>=', '2026-12-01'],
        ['day', '<', '2027-01-01'],
      ],
      values: [1, null, null],
    },
  ]);
  expect(chartData(groups, { ...about, sort: 'asc' }).points.map(({ label }) => label)).toEqual([
    'December',
    'November',
  ]);
});

it('a place of a chart leads to the records of its first group alone', () => {
  const conditions = [['state', '=', 'new'], ['city', '=', 'Lyon'], ...given];
  const groups = [{ state: 'new', city: 'Lyon', __count: 2, __domain: conditions }] as unknown as RawGroup[];
  const data = chartData(groups, { ...about, groupBy: ['state', 'city'], measure: '__count' });
  expect(data.points[0]?.conditions).toEqual([['state', '=', 'new']]);
});

it('numbers of records can be measured, but neither their ids nor their order', () => {
  const many = model('many', [
    field('id', { kind: 'integer' }),
    field('sequence', { kind: 'integer' }),
    field('name'),
    field('qty', { kind: 'integer' }),
    field('height', { kind: 'float', groupable: false }),
  ]);
  expect(measurable(many).map(({ name }) => name)).toEqual(['qty']);
  const texts = (value: unknown) => measureTexts({ day: value, __count: 1 }, 'day:count_distinct', info, format);
  expect([texts(1234), texts(false)]).toEqual([['1,234'], []]);
  const quantity = info.fields.qty;
  expect(quantity && [1234, false].map((value) => totalTexts(value, quantity, format))).toEqual([['1,234'], []]);
});

it('of too many bars the largest are shown, of days the last', () => {
  const cities = Array.from({ length: 100 }, (_, index) => ({ city: `C${index}`, __count: index }));
  const byCity = chartData(cities, { ...about, groupBy: ['city'], measure: '__count' });
  expect([byCity.points.length, byCity.total, byCity.points[0]?.label]).toEqual([60, 100, 'C99']);
  const days = Array.from({ length: 400 }, (_, index) => ({ 'day:day': `D${index}`, __count: 1 }));
  const byDay = chartData(days, { ...about, groupBy: ['day:day'], measure: '__count' });
  expect([byDay.points.length, byDay.points.at(-1)?.label]).toEqual([366, 'D399']);
});

it('rows of a pivot table are a tree, sorted among their siblings; those under a closed one are not seen', () => {
  const shape = { rows: ['state', 'city'], columns: ['day:month'] };
  expect(crossings(shape.rows, shape.columns).map(({ rows, columns }) => [...rows, ...columns].join())).toEqual([
    '',
    'day:month',
    'state',
    'state,day:month',
    'state,city',
    'state,city,day:month',
  ]);
  const answers = crossings(shape.rows, shape.columns).map((crossing) => ({ crossing, groups: [] as RawGroup[] }));
  answers[1]?.groups.push({ 'day:month': 'May', __count: 4 }, { 'day:month': false, __count: 1 });
  answers[2]?.groups.push({ state: 'new', __count: 3 }, { state: 'old', __count: 1 });
  answers[4]?.groups.push(
    { state: 'new', city: 'Lyon', __count: 1 },
    { state: 'new', city: 'Paris', __count: 2 },
    { state: 'old', city: false, __count: 1 },
  );
  const { rows, columns, at } = pivotCells(info, shape, answers);
  const names = (some: typeof rows) => some.map(({ line }) => line.join('/'));
  expect(names(rows)).toEqual(['New', 'New/Lyon', 'New/Paris', 'Old', 'Old/(none)']);
  expect(columns.map(({ label }) => label)).toEqual(['(none)', 'May']);
  expect(at(rows[2]?.path ?? '', '[]')?.__count).toBe(2);
  expect(names(visibleRows(rows, new Set([rows[0]?.path ?? ''])))).toEqual(['New', 'Old', 'Old/(none)']);
  const count = ({ path }: { path: string }) => Number(at(path, '[]')?.__count);
  expect(names(sortedRows(rows, count, true))).toEqual(['New', 'New/Paris', 'New/Lyon', 'Old', 'Old/(none)']);
  expect(names(sortedRows(rows, count, false))).toEqual(['Old', 'Old/(none)', 'New', 'New/Lyon', 'New/Paris']);
});

it('sums of larger groups are added up, with the conditions that find their records', () => {
  const by = ['state', 'day:month'];
  const may = [
    ['day', '>=', '2026-05-01'],
    ['day', '<', '2026-06-01'],
  ];
  const group = (state: string, amounts: object[], rest: object, days: unknown[] = may): RawGroup => ({
    state,
    'day:month': 'May',
    amount: amounts,
    __domain: [['state', '=', state], ...days, ...given],
    ...rest,
  });
  const groups = [
    group('new', [{ currency: eur, amount: 1 }], { __count: 1, qty: 2 }),
    group(
      'old',
      [
        { currency: eur, amount: 2 },
        { currency: usd, amount: 3 },
      ],
      { __count: 2, qty: false },
    ),
    group('old', [], { __count: 4, qty: 5, 'day:month': false }, [['day', '=', false]]),
  ];
  const fold = (kept: readonly string[]) =>
    rollUp(groups, { info, baseDomain: given, groupings: by, keptGroupings: kept });
  expect(fold(['day:month']).map(({ __count, qty, amount, __domain }) => ({ __count, qty, amount, __domain }))).toEqual(
    [
      {
        __count: 3,
        qty: 2,
        amount: [
          { currency: eur, amount: 3 },
          { currency: usd, amount: 3 },
        ],
        __domain: [...may, ...given],
      },
      { __count: 4, qty: 5, amount: [], __domain: [['day', '=', false], ...given] },
    ],
  );
  expect(fold([])[0]).toMatchObject({ __count: 7, qty: 7, __domain: given });
});

it('a graph has its figures in a table, which leads to the records behind each', async () => {
  serve({
    read_group: ({ kwargs: { groupby } }: { kwargs: { groupby: readonly string[] } }) =>
      groupby.includes('currency_id')
        ? [
            { state: 'new', currency_id: eur, amount: 10 },
            { state: 'old', currency_id: eur, amount: 5.5 },
          ]
        : [
            { state: 'new', __count: 2, amount: 10, __domain: [['state', '=', 'new']] },
            { state: 'old', __count: 1, amount: 5.5, __domain: [['state', '=', 'old']] },
          ],
  });
  const setState = jest.fn<(change: Partial<ListState>) => void>();
  const { default: GraphScreen } = await import('../graph-view.tsx');
  draw(<GraphScreen info={info} domain={[]} state={emptyState} setState={setState} menu={null} title="Sales" />);
  const table = await screen.findByRole('table', { name: 'Amount by State' });
  expect(
    within(table)
      .getAllByRole('row')
      .map((row) => row.textContent),
  ).toEqual(['StateAmount', 'New10.00\u00a0€', 'Old5.50\u00a0€', 'Total15.50\u00a0€']);
  expect(screen.getByText('Chart: Amount by State')).not.toBeNull();
  expect(screen.getByRole('button', { name: 'Sort by value' }).getAttribute('aria-pressed')).toBe('false');
  await user.click(screen.getByRole('button', { name: 'Old' }));
  await user.click(screen.getByRole('button', { name: 'Pie' }));
  await user.click(screen.getByRole('button', { name: 'Measures' }));
  await user.click(screen.getByRole('button', { name: 'Number of records' }));
  expect(setState.mock.calls.map(([change]) => change)).toEqual([
    {
      view: 'list',
      groupBy: [],
      saved: null,
      chips: [{ kind: 'domain', label: 'State: Old', domain: [['state', '=', 'old']] }],
    },
    { graph: { chart: 'pie' }, saved: null },
    { graph: { measure: '__count' }, saved: null },
  ]);
});

it('a pivot table opens and closes its rows, and sends what is shown to be written to a file', async () => {
  const made = serve({
    read_group: ({ kwargs: { groupby } }: { kwargs: { groupby: readonly string[] } }) => {
      if (groupby.length < 2) throw new Error('sums are added up, not asked for');
      return [
        { state: 'new', city: 'Lyon', __count: 1, qty: 4, __domain: [] },
        { state: 'new', city: 'Paris', __count: 2, qty: 5, __domain: [] },
      ];
    },
    table: () => ({ name: 'Sales.csv', content: '' }),
  });
  const { default: PivotScreen } = await import('../pivot-view.tsx');
  URL.createObjectURL = () => '#file';
  function Kept() {
    const [state, setState] = useState(emptyState);
    const change = (next: Partial<typeof emptyState>): void => setState({ ...state, ...next });
    return <PivotScreen info={info} domain={[]} state={state} setState={change} menu={null} title="Sales" />;
  }
  draw(<Kept />);
  const table = await screen.findByRole('table', { name: 'State / City' });
  const rows = () =>
    within(table)
      .getAllByRole('row')
      .map((row) => row.textContent);
  expect(screen.queryByText(/are shown/)).toBeNull();
  expect(rows()).toEqual(['State / CityQuantityNumber of records', ' New93', 'Lyon41', 'Paris52', 'Total93']);
  await user.click(screen.getByRole('button', { name: 'Quantity' }));
  expect(rows().slice(1, 4)).toEqual([' New93', 'Paris52', 'Lyon41']);
  await user.click(screen.getByRole('button', { name: 'New' }));
  expect(rows().slice(1)).toEqual([' New93', 'Total93']);
  await user.click(screen.getByRole('button', { name: 'Export' }));
  await user.click(screen.getByRole('button', { name: 'CSV (.csv)' }));
  await waitFor(() => expect(made.at(-1)?.path).toBe('table'));
  expect(made.at(-1)?.params).toEqual({
    title: 'Sales',
    format: 'csv',
    headers: ['State', 'City', 'Quantity', 'Number of records'],
    rows: [
      ['New', null, 9, 3],
      ['Total', null, 9, 3],
    ],
  });
});
