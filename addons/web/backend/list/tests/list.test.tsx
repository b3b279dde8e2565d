import { jest } from '@jest/globals';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { type ReactNode, useState } from 'react';
import { FieldFaults, field, fillGaps, model, serve } from '../../form/tests/kit.tsx';
import { formatMoney, formatOptions } from '../../lib/format.ts';
import { createQueryClient } from '../../lib/queries.ts';
import { menuAddress, StartProvider } from '../../lib/start.tsx';
import { TroubleProvider } from '../../lib/trouble.tsx';
import type { RuleGroup } from '../../search/conditions.ts';
import type { MenuEntry, Start } from '../../types.ts';
import { emptyState } from '../list-state.ts';
import { emptySelection, type Selection } from '../selection.ts';

beforeAll(fillGaps);
afterEach(cleanup);
const user = userEvent.setup();

const start: Start = {
  user: { id: 1, partnerId: 1, name: 'Ada', login: 'ada', timezone: 'Europe/Paris', isAdmin: true, groups: [] },
  lang: 'en_US',
  siteTimezone: 'Europe/Paris',
  keepsMails: false,
  languages: [],
  currencies: {
    EUR: { digits: 2, before: '', after: '\u00a0€' },
    USD: { digits: 2, before: '$', after: '' },
  },
  menus: [],
  preferences: {},
};
const info = model('thing', [
  field('name', { label: 'Name', required: true }),
  field('city', { label: 'City' }),
  field('state', {
    label: 'State',
    kind: 'selection',
    selection: [
      ['draft', 'Draft'],
      ['done', 'Done'],
    ],
  }),
  field('day', { label: 'Day', kind: 'date' }),
  field('stock', { label: 'Stock', kind: 'integer' }),
]);

function draw(children: ReactNode): void {
  render(
    <StartProvider start={start}>
      <QueryClientProvider client={createQueryClient()}>
        <TroubleProvider>{children}</TroubleProvider>
      </QueryClientProvider>
    </StartProvider>,
  );
}

const record = { id: 3, name: 'One', city: 'Paris', state: 'draft', stock: 5, display_name: 'One' };

async function cell(name: string) {
  const { EditableCell } = await import('../editable-cell.tsx');
  const shown = info.fields[name];
  if (!shown) throw new Error(name);
  draw(
    <table>
      <tbody>
        <tr>
          <EditableCell
            value={Reflect.get(record, name)}
            field={shown}
            record={record}
            model="thing"
            info={info}
            widget={null}
            label={shown.label}
            isNumber={false}
          />
        </tr>
      </tbody>
    </table>,
  );
  return screen.getByRole('cell');
}

describe('A time for several records', () => {
  const show = model('show', [
    field('begins', { kind: 'datetime', label: 'Begins', timezoneField: 'zone' }),
    field('zone', { label: 'Time zone' }),
  ]);
  const bulk = async (zones: readonly string[]) => {
    const calls = serve({ read: () => zones.map((zone, index) => ({ id: index + 1, zone })) });
    const { BulkEdit } = await import('../bulk-edit.tsx');
    const applied = new Promise<unknown>((resolve) => {
      draw(
        <BulkEdit
          info={show}
          count={zones.length}
          chosenIds={async () => zones.map((_, index) => index + 1)}
          isPending={false}
          onApply={resolve}
          onClose={() => {}}
        />,
      );
    });
    await user.selectOptions(screen.getByRole('combobox'), 'Begins');
    fireEvent.change(await screen.findByLabelText('New value for all records'), {
      target: { value: '2027-05-10T19:00' },
    });
    await user.click(screen.getByRole('button', { name: 'Apply', hidden: true }));
    return { calls, values: await applied };
  };

  it('is entered on the clocks of their zone', async () => {
    const { calls, values } = await bulk(['America/New_York', 'America/New_York']);
    expect(calls[0]?.params).toMatchObject({ method: 'read', args: [[1, 2], ['zone']] });
    expect(values).toEqual({ begins: '2027-05-10 23:00:00' });
    expect(screen.getByText('New York time')).toBeTruthy();
  });

  it('is entered on the clocks of the reader if their zones differ, and says so', async () => {
    const { values } = await bulk(['America/New_York', 'Asia/Tokyo']);
    expect(values).toEqual({ begins: '2027-05-10 17:00:00' });
    expect(screen.getByText('Paris time')).toBeTruthy();
    expect(screen.getByText(/different time zones/)).toBeTruthy();
  });
});

describe('The review of changes that a button proposes', () => {
  const review = {
    version: '1',
    columns: ['New'],
    totals: [{ label: 'Sum', value: '12.00' }],
    empty: 'Nothing to change.',
  };
  const row = { id: 1, label: 'One', notes: [], cells: ['2'], selected: true };
  const open = async (rows: readonly object[]) => {
    serve({ changes: () => ({ ...review, rows }) });
    const { ReviewDialog } = await import('../../form/review-dialog.tsx');
    const rest = { model: 'thing', id: 3, label: 'Update', changes: 'changes', apply: 'apply' };
    draw(<ReviewDialog {...rest} onClose={() => {}} onApplied={() => {}} />);
  };

  it('has the sums of what is selected, or says that nothing changes', async () => {
    await open([row]);
    expect(await screen.findByText('Sum')).toBeTruthy();
    cleanup();
    await open([]);
    expect(await screen.findByText('Nothing to change.')).toBeTruthy();
    expect(screen.queryByText('Sum')).toBeNull();
  });
});

it('A board says that it is empty only if it is', async () => {
  const { MemoryRouter } = await import('react-router');
  const { KanbanColumns } = await import('../../kanban/kanban-columns.tsx');
  const view = { title: 'name', image: null, lines: [], groupBy: 'city' };
  const board = (groups: readonly object[]) => {
    serve({ read_group: () => groups, search_read: () => [] });
    const rest = { domain: [], state: emptyState, setState: () => {}, menu: null, title: 'Things', by: 'city' };
    draw(
      <MemoryRouter>
        <KanbanColumns info={info} view={view} {...rest} />
      </MemoryRouter>,
    );
  };
  board([]);
  expect(await screen.findByText('Nothing here yet.')).toBeTruthy();
  cleanup();
  board([{ city: 'Paris', __count: 0, __domain: [['city', '=', 'Paris']] }]);
  expect(await screen.findByText('Paris')).toBeTruthy();
  expect(screen.queryByText('Nothing here yet.')).toBeNull();
});

it('The filters of a list are pressed where they are chosen', async () => {
  const { SearchBar } = await import('../../search/search-bar.tsx');
  const filters = ['Open', 'Late'].map((label) => ({ id: label.toLowerCase(), label, domain: [] }));
  const filtered = { ...info, search: { ...info.search, filters } } as typeof info;
  const state = { ...emptyState, chips: [{ kind: 'preset' as const, id: 'open' }] };
  draw(<SearchBar info={filtered} state={state} setState={() => {}} />);
  await user.click(screen.getByRole('button', { name: 'Filters' }));
  const pressed = ['Open', 'Late'].map((name) =>
    screen
      .getAllByRole('button', { name, hidden: true })
      .find((one) => one.hasAttribute('aria-pressed'))
      ?.getAttribute('aria-pressed'),
  );
  expect(pressed).toEqual(['true', 'false']);
});

describe('The table of a list', () => {
  afterEach(() => jest.restoreAllMocks());

  async function table() {
    // Only visible rows are rendered, so the table's container needs a height.
    for (const side of ['clientHeight', 'clientWidth'] as const)
      jest.spyOn(Element.prototype, side, 'get').mockReturnValue(600);
    const { MemoryRouter } = await import('react-router');
    const { RecordTable } = await import('../record-table.tsx');
    const lines = [1, 2, 3, 4].map((id) => ({
      kind: 'record' as const,
      key: String(id),
      depth: 0,
      record: { id, name: `Thing ${id}`, city: 'Paris', display_name: `Thing ${id}` },
    }));
    const columns = ['name', 'city'].map((name) => ({ field: name, width: 200 }));
    const onColumns = jest.fn<(columns: readonly { field: string; width: number | null }[]) => void>();
    function Kept() {
      const [selection, setSelection] = useState<Selection>(emptySelection);
      return (
        <RecordTable
          info={info}
          lines={lines}
          columns={columns}
          groupBy={[]}
          menu={null}
          selection={selection}
          setSelection={setSelection}
          isStale={false}
          onToggle={() => {}}
          onMore={() => {}}
          order=""
          onOrder={() => {}}
          onColumns={onColumns}
          isEditing={false}
          totals={null}
        />
      );
    }
    draw(
      <MemoryRouter>
        <Kept />
      </MemoryRouter>,
    );
    return { onColumns };
  }
  const chosen = () =>
    screen.getAllByRole('row').flatMap((row) => (row.getAttribute('aria-selected') === 'true' ? [row.dataset.id] : []));

  it('has its lines counted, and chosen one by one or with all between two', async () => {
    await table();
    await screen.findByRole('checkbox', { name: 'Select Thing 4' });
    const rows = screen.getAllByRole('row');
    expect(rows.map((row) => row.getAttribute('aria-rowindex'))).toEqual(['1', '2', '3', '4', '5']);
    const choose = (id: number) => user.click(screen.getByRole('checkbox', { name: `Select Thing ${id}` }));
    await choose(1);
    await choose(4);
    expect(chosen()).toEqual(['1', '4']);
    await user.keyboard('{Shift>}');
    await choose(2);
    await user.keyboard('{/Shift}');
    expect(chosen()).toEqual(['1', '2', '3', '4']);
  });

  it('selects nothing among the rows of the previous search, which disappear', async () => {
    for (const side of ['clientHeight', 'clientWidth'] as const)
      jest.spyOn(Element.prototype, side, 'get').mockReturnValue(600);
    globalThis.matchMedia = () => ({ matches: false, addEventListener() {}, removeEventListener() {} }) as never;
    const { MemoryRouter } = await import('react-router');
    const { ListMemoryProvider } = await import('../../shell/list-memory.tsx');
    const { ListView } = await import('../list-view.tsx');
    const arriving = Promise.withResolvers<void>();
    const row = (id: number) => ({ id, name: `Thing ${id}`, display_name: `Thing ${id}` });
    serve({
      search_count: () => 1,
      search_read: async ({ kwargs }: { kwargs: { domain: unknown[] } }) => {
        if (kwargs.domain.length === 0) return [row(1)];
        await arriving.promise;
        return [row(2)];
      },
    });
    const columns = { columns: [{ field: 'name', width: 200 }], setColumns: () => {}, reset: () => {} };
    function Searched() {
      const [domain, setDomain] = useState<unknown[]>([]);
      return (
        <>
          <button type="button" onClick={() => setDomain([['name', '=', 'Thing 2']])}>
            Search
          </button>
          <ListView
            info={info}
            domain={domain}
            state={emptyState}
            setState={() => {}}
            menu={null}
            title="Things"
            columns={columns}
          />
        </>
      );
    }
    draw(
      <MemoryRouter>
        <ListMemoryProvider>
          <Searched />
        </ListMemoryProvider>
      </MemoryRouter>,
    );
    const all = await screen.findByRole('checkbox', { name: 'Select all on this page' });
    await user.click(screen.getByRole('button', { name: 'Search' }));
    expect(all.getAttribute('aria-disabled')).toBe('true');
    await user.click(all);
    arriving.resolve();
    await screen.findByRole('checkbox', { name: 'Select Thing 2' });
    expect(screen.getByText('1 record')).not.toBeNull();
    await user.click(all);
    expect(chosen()).toEqual(['2']);
  });

  it('keeps the width to which the edge of a column was dragged', async () => {
    const { onColumns } = await table();
    const edge = await screen.findByRole('separator', { name: 'Width of “Name”' });
    fireEvent.mouseDown(edge, { clientX: 200 });
    fireEvent.mouseMove(document, { clientX: 260 });
    fireEvent.mouseUp(document, { clientX: 260 });
    const [columns = []] = onColumns.mock.lastCall ?? [];
    expect(columns).toEqual([
      { field: 'name', width: 260 },
      { field: 'city', width: 200 },
    ]);
  });
});

describe('A cell', () => {
  it('is opened by Enter, kept by Enter, and says nothing when nothing changed', async () => {
    const made = serve({ save: () => ({ saved: true, conflicts: null }), read: () => [{ ...record, city: 'Lyon' }] });
    (await cell('city')).focus();
    await user.keyboard('{Enter}{Enter}');
    expect(made).toEqual([]);
    await user.keyboard('{Enter}');
    await user.clear(screen.getByRole('textbox', { name: 'City' }));
    await user.type(screen.getByRole('textbox', { name: 'City' }), 'Lyon{Enter}');
    await waitFor(() => expect(made.map(({ path }) => path)).toEqual(['save', 'read']));
    expect(made[0]?.params).toEqual({ model: 'thing', id: 3, values: { city: 'Lyon' }, seen: { city: 'Paris' } });
    await waitFor(() => expect(screen.queryByRole('textbox')).toBeNull());
  });

  it('stays open with a text that is no number, and says how to write one', async () => {
    const made = serve({ save: () => ({ saved: true, conflicts: null }), read: () => [record] });
    await user.click(await cell('stock'));
    await user.clear(screen.getByRole('textbox'));
    await user.type(screen.getByRole('textbox'), '2.9');
    await user.tab();
    expect(screen.getByText('Enter a whole number.')).toBeTruthy();
    expect((screen.getByRole('textbox') as HTMLInputElement).value).toBe('2.9');
    expect(made).toEqual([]);
    await user.clear(screen.getByRole('textbox'));
    await user.type(screen.getByRole('textbox'), '1,200{Enter}');
    await waitFor(() => expect(made[0]?.params).toMatchObject({ values: { stock: 1200 } }));
  });

  it('is left as it was by Escape', async () => {
    const made = serve({});
    await user.click(await cell('city'));
    await user.type(screen.getByRole('textbox'), 'Nowhere{Escape}');
    expect(screen.queryByRole('textbox')).toBeNull();
    expect(screen.getByRole('cell').textContent).toBe('Paris');
    expect(made).toEqual([]);
  });

  it('stays open with what was typed when the server refuses it, and says why', async () => {
    serve({
      save: () => {
        throw new FieldFaults({ name: 'This name is taken.' });
      },
    });
    await user.click(await cell('name'));
    await user.clear(screen.getByRole('textbox'));
    await user.type(screen.getByRole('textbox'), 'Two{Enter}');
    expect(await screen.findByText('Name: This name is taken.')).toBeTruthy();
    const input = screen.getByRole('textbox');
    expect(input).toHaveProperty('value', 'Two');
    expect(input.getAttribute('aria-invalid')).toBe('true');
  });

  it('keeps a choice at once', async () => {
    const made = serve({ save: () => ({ saved: true, conflicts: null }), read: () => [record] });
    await user.click(await cell('state'));
    await user.selectOptions(screen.getByRole('combobox'), 'Done');
    await waitFor(() => expect(made[0]?.params).toMatchObject({ values: { state: 'done' } }));
  });
});

describe('A cell that somebody else changed meanwhile', () => {
  const theirs = { field: 'city', label: 'City', theirs: 'Nice' };
  const conflicts = { fields: [theirs], by: 'Bea', at: '2026-11-21 10:00:00' };

  async function typed(answers: readonly unknown[]) {
    const left = [...answers];
    const made = serve({
      save: () => ({ conflicts: left.shift() ?? null }),
      read: () => [{ ...record, city: 'Nice' }],
    });
    await user.click(await cell('city'));
    await user.clear(screen.getByRole('textbox'));
    await user.type(screen.getByRole('textbox'), 'Lyon{Enter}');
    const dialog = await screen.findByRole('dialog');
    expect(dialog.textContent).toContain('Nice');
    expect(dialog.textContent).toContain('Lyon');
    return made;
  }
  const choose = async (side: string): Promise<void> => {
    await user.click(screen.getByRole('radio', { name: new RegExp(`^${side}`) }));
    await user.click(screen.getByRole('button', { name: 'Save my choices' }));
  };

  it('is kept as typed by whoever has seen the other value', async () => {
    const made = await typed([conflicts]);
    await choose('Your version');
    await waitFor(() => expect(made.map(({ path }) => path)).toEqual(['save', 'save', 'read']));
    expect(made[1]?.params).toEqual({ model: 'thing', id: 3, values: { city: 'Lyon' }, seen: { city: 'Nice' } });
    await waitFor(() => expect(screen.queryByRole('textbox')).toBeNull());
  });

  it('takes the other value without saving anything', async () => {
    const made = await typed([conflicts]);
    await choose('Their version');
    await waitFor(() => expect(made.map(({ path }) => path)).toEqual(['save', 'read']));
    await waitFor(() => expect(screen.queryByRole('textbox')).toBeNull());
  });

  it('stays open with what was typed for whoever goes on editing', async () => {
    const made = await typed([conflicts]);
    await user.click(screen.getByRole('button', { name: 'Keep editing' }));
    expect(screen.getByRole('textbox')).toHaveProperty('value', 'Lyon');
    await user.type(screen.getByRole('textbox'), '{Enter}');
    await waitFor(() => expect(made).toHaveLength(3));
  });
});

describe('A drag', () => {
  const wanted = {
    record,
    values: { state: 'done', day: '2026-11-23' },
    seen: { state: 'draft', day: '2026-11-20' },
    successMessage: 'Moved.',
  };
  const other = {
    fields: [{ field: 'day', label: 'Day', theirs: '2026-11-21' }],
    by: 'Bea',
    at: '2026-11-21 10:00:00',
  };

  async function dragged(answers: readonly unknown[]) {
    const left = [...answers];
    const made = serve({ save: () => ({ conflicts: left.shift() ?? null }) });
    const undo = jest.fn();
    const { useRecordMove } = await import('../use-record-move.tsx');
    function Board() {
      const { move, dialog } = useRecordMove(info);
      return (
        <>
          <button type="button" onClick={() => void move({ ...wanted, undo })}>
            Drag
          </button>
          {dialog}
        </>
      );
    }
    draw(<Board />);
    await user.click(screen.getByRole('button', { name: 'Drag' }));
    return { made, undo };
  }
  const choose = async (side: string): Promise<void> => {
    await user.click(await screen.findByRole('radio', { name: new RegExp(`^${side}`) }));
    await user.click(screen.getByRole('button', { name: 'Save my choices' }));
  };

  it('is saved over what was in sight', async () => {
    const { made } = await dragged([null]);
    await screen.findByText('Moved.');
    expect(made[0]?.params).toEqual({
      model: 'thing',
      id: 3,
      values: wanted.values,
      seen: wanted.seen,
      changeKey: expect.any(String),
    });
  });

  it('overwrites nothing that somebody else changed, unless that was seen and chosen', async () => {
    const { made, undo } = await dragged([other]);
    await choose('Your version');
    await waitFor(() => expect(made).toHaveLength(2));
    expect(made[1]?.params).toMatchObject({ values: wanted.values, seen: { state: 'draft', day: '2026-11-21' } });
    expect(undo).not.toHaveBeenCalled();
  });

  it('leaves to the others what they changed, and goes back where it is given up', async () => {
    const { made, undo } = await dragged([other, other]);
    await choose('Their version');
    await waitFor(() => expect(made).toHaveLength(2));
    expect(made[1]?.params).toMatchObject({ values: { state: 'done' } });
    await user.click(await screen.findByRole('button', { name: 'Cancel' }));
    expect(undo).toHaveBeenCalledTimes(1);
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});

describe('Conditions', () => {
  it('are put together, with groups, and those without a value are left out', async () => {
    const { FilterDialog } = await import('../../search/filter-dialog.tsx');
    const done = jest.fn<(group: RuleGroup) => void>();
    draw(<FilterDialog info={info} group={{ any: false, rules: [] }} onDone={done} onClose={() => {}} />);
    const all = (role: string, name: string) => screen.getAllByRole(role, { name, hidden: true });
    await user.type(all('textbox', 'Value')[0] as HTMLElement, 'Ada');
    await user.click(all('button', 'Add a condition')[0] as HTMLElement);
    await user.click(all('button', 'Add a group')[0] as HTMLElement);
    await user.selectOptions(all('combobox', 'Field')[2] as HTMLElement, 'State');
    await user.selectOptions(all('combobox', 'Value')[0] as HTMLElement, 'Done');
    await user.click(all('button', 'Show')[0] as HTMLElement);
    expect(done).toHaveBeenCalledWith({
      any: false,
      rules: [
        { field: 'name', op: 'contains', value: 'Ada' },
        { any: true, rules: [{ field: 'state', op: 'is', value: 'done' }] },
      ],
    });
  });

  it('begin anew with another field: a text is no day', async () => {
    const { FilterDialog } = await import('../../search/filter-dialog.tsx');
    draw(
      <FilterDialog
        info={info}
        group={{ any: false, rules: [{ field: 'name', op: 'contains', value: 'x' }] }}
        onDone={() => {}}
        onClose={() => {}}
      />,
    );
    await user.selectOptions(screen.getByRole('combobox', { name: 'Field', hidden: true }), 'Day');
    expect(screen.getByRole('combobox', { name: 'Operator', hidden: true })).toHaveProperty('value', 'period');
    expect(screen.getByRole('combobox', { name: 'Period', hidden: true })).toHaveProperty('value', 'this_month');
  });
});

it('Amounts of several currencies are totalled by currency, for all records and for each group', async () => {
  const { readGroups, readSummary, totalTexts } = await import('../totals.ts');
  const amount = field('amount', { kind: 'money', currencyField: 'currency_id' });
  const sales = model('sale', [amount, field('currency_id', { kind: 'many2one' }), field('state', {})]);
  const [eur, usd] = [
    [1, 'EUR'],
    [2, 'USD'],
  ] as const;
  serve({
    read_group: ({ kwargs: { groupby } }: { kwargs: { groupby: readonly string[] } }) => {
      switch (groupby.join()) {
        case '':
          return [{ __count: 3, amount: 60 }];
        case 'currency_id':
          return [
            { currency_id: eur, amount: 30 },
            { currency_id: usd, amount: 30 },
          ];
        case 'state':
          return [
            { state: 'new', __count: 2, amount: 40 },
            { state: 'old', __count: 1, amount: 20 },
          ];
        default:
          return [
            { state: 'new', currency_id: eur, amount: 10 },
            { state: 'new', currency_id: usd, amount: 30 },
            { state: 'old', currency_id: eur, amount: 20 },
          ];
      }
    },
  });
  const texts = (value: unknown) => totalTexts(value, amount, formatOptions(start));
  const { count, totals } = await readSummary(sales, [], ['amount:sum']);
  expect([count, texts(totals.amount)]).toEqual([3, ['30.00\u00a0€', '$30.00']]);
  const groups = await readGroups(sales, { domain: [], totals: ['amount:sum'], groupings: ['state'] });
  expect(groups.map((group) => texts(group.amount))).toEqual([['10.00\u00a0€', '$30.00'], ['20.00\u00a0€']]);
  expect(formatMoney(-1234.5, usd, start.currencies)).toBe('-$1,234.50');
  expect(formatMoney(1, [3, 'JPY'], start.currencies)).toBe('¥1');
});

it('Columns are taken away, moved and added', async () => {
  const { ColumnsMenu } = await import('../columns-menu.tsx');
  const change = jest.fn<(columns: readonly { field: string }[]) => void>();
  const columns = [
    { field: 'name', width: null },
    { field: 'city', width: 120 },
  ];
  draw(<ColumnsMenu info={info} columns={columns} onChange={change} onReset={() => {}} />);
  await user.click(screen.getByRole('button', { name: 'Columns' }));
  await user.click(screen.getByRole('button', { name: 'Move “City” forward' }));
  await user.click(screen.getByRole('checkbox', { name: 'Name' }));
  await user.type(screen.getByRole('searchbox', { name: 'Search fields' }), 'sta');
  expect(screen.queryByRole('checkbox', { name: 'Day' })).toBeNull();
  await user.click(screen.getByRole('checkbox', { name: 'State' }));
  const fields = change.mock.calls.map(([next]) => next.map((column) => column.field));
  expect(fields).toEqual([['city', 'name'], ['city'], ['name', 'city', 'state']]);
});

it('An event that was put elsewhere keeps its length, in days and in hours', async () => {
  const { movedValues } = await import('../../calendar/events.ts');
  const named = (kind: string) => ({
    start: { name: 'start', kind },
    end: { name: 'end', kind },
    whole: { name: 'whole', kind: 'boolean', readonly: false },
  });
  const moved = (kind: string, event: { startStr: string; endStr: string; allDay: boolean }, allDay: string | null) =>
    movedValues(event, {
      info: { fields: named(kind) } as never,
      view: { title: 'name', start: 'start', end: 'end', allDay, color: null },
      clocks: { timezone: 'Europe/Paris', siteTimezone: 'Europe/Paris' },
      record: {},
    });
  // The calendar's end is the day after the last.
  expect(moved('date', { startStr: '2026-11-23', endStr: '2026-11-26', allDay: true }, null)).toEqual({
    start: '2026-11-23',
    end: '2026-11-25',
  });
  const hours = { startStr: '2026-11-23T10:00:00Z', endStr: '2026-11-23T12:00:00Z', allDay: false };
  expect(moved('datetime', hours, 'whole')).toEqual({
    start: '2026-11-23 09:00:00',
    end: '2026-11-23 11:00:00',
    whole: false,
  });
});

describe('The columns of a list', () => {
  const columns = ['name', 'city', 'state', 'day'].flatMap((name) => {
    const shown = info.fields[name];
    return shown ? [{ field: shown, label: shown.label, width: null }] : [];
  });

  it('give way where there is little room, the first and those that somebody set excepted', async () => {
    const { columnWidths } = await import('../columns.ts');
    const usual = columnWidths(columns, 0);
    expect(columnWidths(columns, 2000)).toEqual(usual);
    const sum = usual.reduce((all, one) => all + one, 0);
    const fitted = columnWidths(columns, sum - 60);
    expect(fitted[0]).toBe(usual[0]);
    expect(fitted.reduce((all, one) => all + one, 0)).toBeLessThanOrEqual(sum - 60);
    // Not enough room for all: the columns stay readable and the list scrolls.
    expect(Math.min(...columnWidths(columns, 100))).toBeGreaterThanOrEqual(100);
    const set = columns.map((column, index) => (index === 1 ? { ...column, width: 333 } : column));
    expect(columnWidths(set, 500)[1]).toBe(333);
  });
});

describe('What stands for a record in few words', () => {
  const quotation = model(
    'order',
    [
      field('name', { label: 'Number' }),
      field('date', { label: 'Date', kind: 'date' }),
      field('customer', { label: 'Customer', kind: 'many2one', relation: 'partner' }),
      field('invoiced', { label: 'Name' }),
      field('place', { label: 'Place' }),
      field('total', { label: 'Total', kind: 'money', currencyField: 'currency_id' }),
      field('state', { label: 'State' }),
      field('currency_id', { kind: 'many2one', relation: 'currency' }),
      field('price', { label: 'Price', kind: 'decimal', currencyField: 'currency_id' }),
      field('stock', { label: 'In stock', kind: 'integer' }),
    ],
    {
      list: {
        columns: ['name', 'date', 'customer', 'invoiced', 'place', 'total', 'state'].map((one) => ({
          field: one,
          label: null,
          optional: false,
          total: one === 'total' ? 'sum' : null,
          widget: null,
        })),
        order: 'id',
        editable: false,
      },
    } as never,
  );
  const shown = { ...quotation, form: { ...quotation.form, status: 'state' } };
  const order = {
    id: 3,
    display_name: 'SO1',
    name: 'SO1',
    date: '2026-11-22',
    customer: [7, 'Jo Martin'],
    invoiced: 'Jo Martin',
    place: 'Lyon',
    total: 12.5,
    state: 'Sent',
    currency_id: [1, 'EUR'],
    price: 6.4,
    stock: 9,
  };

  it('on a phone is the title, what is added up and the state, and no name twice', async () => {
    const { MemoryRouter } = await import('react-router');
    const { PhoneList } = await import('../phone-list.tsx');
    const columns = shown.list.columns.map(({ field: one }) => ({ field: one, width: null }));
    const nothing = (): void => {};
    const props = {
      info: shown,
      columns,
      groupBy: [],
      menu: null,
      selection: emptySelection,
      lines: [{ kind: 'record' as const, key: '3', record: order, depth: 0 }],
      setSelection: nothing,
      isStale: false,
      onToggle: nothing,
      onMore: nothing,
    };
    draw(
      <MemoryRouter>
        <PhoneList {...props} />
      </MemoryRouter>,
    );
    const lines = [...document.querySelectorAll('.backend-phone-line')].map(({ textContent }) => textContent);
    expect(lines).toEqual(['Date Nov 22, 2026', 'Customer Jo Martin', 'Total 12.50\u00a0€', 'State Sent']);
  });

  it('on a card is a price with its currency, and what a bare number counts', async () => {
    const { MemoryRouter } = await import('react-router');
    const { Card } = await import('../../kanban/card.tsx');
    const view = { title: 'name', image: null, lines: ['price', 'stock'], groupBy: null };
    draw(
      <MemoryRouter>
        <Card record={order} info={shown} view={view} menu={null} />
      </MemoryRouter>,
    );
    expect([...document.querySelectorAll('p')].map(({ textContent }) => textContent)).toEqual([
      '6.40\u00a0€',
      'In stock: 9',
    ]);
  });
});

describe('An app', () => {
  const menu = (id: string, about: object) =>
    ({ id, label: id, parent: null, icon: 'app', model: null, url: null, mayCreate: false, ...about }) as MenuEntry;

  it('opens its first screen of the backend, and what leads elsewhere only where there is no other', () => {
    const app = menu('website', {});
    const out = menu('go', { parent: 'website', url: '/' });
    expect(menuAddress([app, out], app)).toBe('/');
    const pages = menu('pages', { parent: 'website', model: 'website.page' });
    expect(menuAddress([app, out, pages], app)).toBe('/web/m/website.page?menu=pages');
  });
});
