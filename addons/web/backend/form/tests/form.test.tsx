import { jest } from '@jest/globals';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { documentsOf } from '../documents.ts';
import { draw, FieldFaults, field, fillGaps, item, model, serve } from './kit.tsx';

beforeAll(fillGaps);
afterEach(cleanup);
const user = userEvent.setup();
const input = (name: string) => screen.findByRole('textbox', { name });
const button = (name: string) => screen.getByRole('button', { name, hidden: true });

const thing = model('thing', [field('name', { required: true }), field('city'), field('number', { readonly: true })]);
const record = { id: 3, name: 'One', city: 'Paris', number: 'T3' };
const answers = { model: () => thing, read: () => [record], name_get: () => [[3, 'One']] };

it('sends only what was changed, with what it was shown of it', async () => {
  const made = serve({ ...answers, save: () => ({ saved: true, conflicts: null }) });
  await draw('/web/m/thing/3');
  await user.clear(await input('city'));
  await user.type(await input('city'), 'Lyon');
  await user.click(button('Save'));
  await waitFor(() => expect(made.some(({ path }) => path === 'save')).toBe(true));
  expect(made.find(({ path }) => path === 'save')?.params).toEqual({
    model: 'thing',
    id: 3,
    values: { city: 'Lyon' },
    seen: { city: 'Paris' },
  });
});

it('saves once when a button of the record is pressed while it is being saved, and then does what the button says', async () => {
  const confirm = { method: 'confirm', label: 'Confirm', primary: true, confirm: null, when: null, opens: null };
  const saved = Promise.withResolvers<unknown>();
  const made = serve({
    ...answers,
    model: () => ({ ...thing, form: { ...thing.form, buttons: [confirm] } }),
    save: () => saved.promise,
    confirm: () => true,
  });
  await draw('/web/m/thing/3');
  await user.type(await input('city'), ' 2');
  await user.click(button('Save'));
  await user.click(button('Confirm'));
  saved.resolve({ saved: true, conflicts: null });
  await waitFor(() => expect(made.some(({ path }) => path === 'confirm')).toBe(true));
  expect(made.filter(({ path }) => path === 'save')).toHaveLength(1);
});

it('asks before it sends mail that will be held', async () => {
  const confirm = { method: 'confirm', label: 'Confirm', confirm: null, when: null, opens: null, mails: true };
  const made = serve({
    ...answers,
    model: () => ({ ...thing, form: { ...thing.form, buttons: [confirm] } }),
    confirm: () => true,
  });
  await draw('/web/m/thing/3', { keepsMails: true });
  await input('city');
  await user.click(button('Confirm'));
  expect(await screen.findByText(/Emails are held until you set one up/)).toBeTruthy();
  await user.click(button('Go back'));
  expect(made.some(({ path }) => path === 'confirm')).toBe(false);
});

it('keeps what is typed while the form is being saved, and saves it when it is asked to', async () => {
  const saves = [Promise.withResolvers<unknown>(), Promise.withResolvers<unknown>()];
  let calls = 0;
  const made = serve({
    ...answers,
    read: () => [{ ...record, city: ['Paris', 'Paris 1', 'Paris 12'][calls] }],
    save: () => saves[calls++]?.promise,
  });
  const sent = () => made.flatMap(({ path, params: { values, seen } }) => (path === 'save' ? [{ values, seen }] : []));
  await draw('/web/m/thing/3');
  await user.type(await input('city'), ' 1');
  await user.keyboard('{Control>}s{/Control}');
  const first = { values: { city: 'Paris 1' }, seen: { city: 'Paris' } };
  await waitFor(() => expect(sent()).toEqual([first]));
  await user.type(await input('city'), '2');
  await user.keyboard('{Control>}s{/Control}');
  saves[0]?.resolve({ saved: true, conflicts: null });
  const second = { values: { city: 'Paris 12' }, seen: { city: 'Paris 1' } };
  await waitFor(() => expect(sent()).toEqual([first, second]));
  await user.type(await input('city'), '3');
  saves[1]?.resolve({ saved: true, conflicts: null });
  // No further requests without user input.
  expect(await screen.findByRole('button', { name: 'Discard' })).toBeTruthy();
  expect(((await input('city')) as HTMLInputElement).value).toBe('Paris 123');
  expect(sent()).toHaveLength(2);
});

it('asks for what is missing before it sends anything, and shows beside a field what the server finds wrong with it', async () => {
  const made = serve({
    ...answers,
    save: () => {
      throw new FieldFaults({ city: 'There is no such city.' });
    },
  });
  await draw('/web/m/thing/3');
  await user.clear(await screen.findByRole('textbox', { name: /^name/ }));
  await user.click(button('Save'));
  expect(await screen.findByText('Fill in this field.')).toBeTruthy();
  expect(made.some(({ path }) => path === 'save')).toBe(false);
  await user.type(screen.getByRole('textbox', { name: /^name/ }), 'Two');
  await user.click(button('Save'));
  const fault = await screen.findByText('There is no such city.');
  expect((await input('city')).getAttribute('aria-describedby')).toBe(fault.id);
});

it('shows both values where somebody else was faster, and sends what was chosen', async () => {
  let tries = 0;
  const made = serve({
    ...answers,
    save: () => {
      tries += 1;
      const conflicts = { fields: [{ field: 'city', label: 'city', theirs: 'Rome' }], by: 'Bob', at: null };
      return tries === 1 ? { saved: false, conflicts } : { saved: true, conflicts: null };
    },
  });
  await draw('/web/m/thing/3');
  await user.clear(await input('city'));
  await user.type(await input('city'), 'Lyon');
  await user.click(button('Save'));
  expect(await screen.findByText(/Bob saved this record/)).toBeTruthy();
  expect(button('Save my choices').hasAttribute('disabled')).toBe(true);
  await user.click(screen.getByRole('radio', { name: /Your version/, hidden: true }));
  await user.click(button('Save my choices'));
  await waitFor(() => expect(tries).toBe(2));
  expect(made.filter(({ path }) => path === 'save').at(-1)?.params).toMatchObject({
    values: { city: 'Lyon' },
    seen: { city: 'Rome' },
  });
});

it('says what is empty, and what is not ticked, where somebody else was faster', async () => {
  const fields = ['city', 'vip'].map((name) => ({ field: name, label: name, theirs: false }));
  serve({
    ...answers,
    model: () => model('thing', [field('name', { required: true }), field('city'), field('vip', { kind: 'boolean' })]),
    read: () => [{ ...record, vip: true }],
    save: () => ({ saved: false, conflicts: { fields, by: 'Bob', at: null } }),
  });
  await draw('/web/m/thing/3');
  await user.type(await input('city'), ' 2');
  await user.click(button('Save'));
  await screen.findByText(/Bob saved this record/);
  const theirs = screen.getAllByRole('radio', { name: /Their version/, hidden: true });
  expect(theirs.map((radio) => radio.closest('label')?.textContent)).toEqual([
    expect.stringContaining('Empty'),
    expect.stringMatching(/No$/),
  ]);
});

it('takes over the other one’s value, and has then nothing left to send', async () => {
  const conflicts = { fields: [{ field: 'city', label: 'city', theirs: 'Rome' }], by: 'Bob', at: null };
  let city = 'Paris';
  const save = () => {
    city = 'Rome';
    return { saved: false, conflicts };
  };
  const made = serve({ ...answers, read: () => [{ ...record, city }], save });
  await draw('/web/m/thing/3');
  await user.clear(await input('city'));
  await user.type(await input('city'), 'Lyon');
  await user.click(button('Save'));
  await user.click(await screen.findByRole('radio', { name: /Their version/, hidden: true }));
  await user.click(button('Save my choices'));
  expect(((await input('city')) as HTMLInputElement).value).toBe('Rome');
  expect(made.filter(({ path }) => path === 'save')).toHaveLength(1);
});

it('reports a deleted record as missing', async () => {
  const { readRecord } = await import('../use-record.ts');
  serve({ read: () => [], name_get: () => [] });
  await expect(readRecord(thing, 9)).rejects.toMatchObject({ code: 404, reason: 'web.no_record' });
});

it('asks before what was typed is left behind', async () => {
  serve(answers);
  const router = await draw('/web/m/thing/3');
  await user.type(await input('city'), '!');
  act(() => void router.navigate('/elsewhere'));
  await user.click(await screen.findByRole('button', { name: 'Stay', hidden: true }));
  expect(((await input('city')) as HTMLInputElement).value).toBe('Paris!');
  act(() => void router.navigate('/elsewhere'));
  await user.click(await screen.findByRole('button', { name: 'Leave without saving', hidden: true }));
  expect(await screen.findByText('Elsewhere')).toBeTruthy();
});

it('shows fields under their condition only, and asks nobody for what is not shown', async () => {
  const kinds = model(
    'thing',
    [field('name'), field('isBig', { kind: 'boolean' }), field('size', { required: true })],
    {},
  );
  const form = {
    ...kinds.form,
    sections: [
      {
        label: null,
        items: [item('name'), item('isBig'), item('size', { when: [['isBig', '=', true]] })],
        totals: false,
      },
    ],
  };
  const made = serve({
    ...answers,
    model: () => ({ ...kinds, form }),
    read: () => [{ id: 3, name: 'One', isBig: false, size: false }],
    save: () => ({ saved: true, conflicts: null }),
  });
  await draw('/web/m/thing/3');
  await user.type(await input('name'), '!');
  expect(screen.queryByRole('textbox', { name: /size/ })).toBeNull();
  await user.click(button('Save'));
  await waitFor(() => expect(made.some(({ path }) => path === 'save')).toBe(true));
  await user.click(screen.getByRole('checkbox', { name: 'isBig' }));
  expect(await screen.findByRole('textbox', { name: /size/ })).toBeTruthy();
});

it('is shown without inputs to whoever may only read', async () => {
  serve({ ...answers, model: () => ({ ...thing, may: { ...thing.may, write: false, create: false, unlink: false } }) });
  await draw('/web/m/thing/3');
  expect(await screen.findByText('Paris')).toBeTruthy();
  expect(screen.queryByRole('textbox')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
});

it('makes a new record from its defaults, and goes on with what was made', async () => {
  const made = serve({ ...answers, default_get: () => ({ city: 'Paris' }), create: () => 3 });
  const router = await draw('/web/m/thing/new?default_number=7');
  await user.type(await screen.findByRole('textbox', { name: /^name/ }), 'One');
  await user.click(button('Save'));
  await waitFor(() => expect(router.state.location.pathname).toBe('/web/m/thing/3'));
  const { params } = made.find(({ path }) => path === 'create') ?? {};
  expect(params).toMatchObject({ args: [{ name: 'One' }] });
});

it('names the record that a default leads to, once the server has said it', async () => {
  const owned = model('thing', [
    field('name'),
    field('owner_id', { kind: 'many2one', relation: 'user', label: 'Owner' }),
  ]);
  serve({
    ...answers,
    model: () => owned,
    default_get: () => ({ owner_id: 7 }),
    preview: () => ({ values: { id: false, name: false, owner_id: [7, 'Ada'] }, problems: {}, message: false }),
  });
  await draw('/web/m/thing/new');
  const owner = await screen.findByRole('combobox', { name: 'Owner' });
  await waitFor(() => expect((owner as HTMLInputElement).value).toBe('Ada'));
});

it('chooses what the whole text finds, however soon Enter is pressed, and makes no second record of that name', async () => {
  const owned = model('thing', [
    field('name'),
    field('owner_id', { kind: 'many2one', relation: 'user', label: 'Owner' }),
  ]);
  const found = Promise.withResolvers<unknown>();
  const made = serve({
    ...answers,
    model: () => owned,
    default_get: () => ({}),
    name_search: ({ kwargs }: { kwargs: { name: string } }) => (kwargs.name === 'Ada' ? found.promise : [[5, 'Adam']]),
    name_create: () => [9, 'Ada'],
  } as never);
  await draw('/web/m/thing/new');
  const owner = await screen.findByRole('combobox', { name: 'Owner' });
  await user.type(owner, 'Ad');
  await screen.findByRole('option', { name: 'Adam' });
  await user.type(owner, 'a{Enter}');
  await act(async () => found.resolve([[7, 'Ada Novak']]));
  await waitFor(() => expect((owner as HTMLInputElement).value).toBe('Ada Novak'));
  expect(made.some(({ path }) => path === 'name_create')).toBe(false);
});

/** A record with one line, and the responses to its calls. */
const withLines = () => {
  const parent = model('thing', [
    field('name'),
    field('line_ids', { kind: 'one2many', relation: 'line', relationField: 'thing_id', label: 'Lines' }),
  ]);
  const line = model('line', [field('name', { required: true, label: 'Name' })]);
  return {
    model: ({ model: name }: { model: string }) =>
      name === 'thing' ? parent : { ...line, list: { ...line.list, columns: [{ field: 'name', optional: false }] } },
    read: ({ model: name }: { model: string }) =>
      name === 'thing' ? [{ id: 3, name: 'One', line_ids: [5] }] : [{ id: 5, name: 'First' }],
    name_get: () => [[3, 'One']],
    default_get: () => ({}),
    save: () => ({ saved: true, conflicts: null }),
  };
};

it('keeps what is typed into lines while new ones are being asked for, and adds each that was asked for', async () => {
  const defaults = Promise.withResolvers<unknown>();
  serve({ ...withLines(), default_get: () => defaults.promise } as never);
  await draw('/web/m/thing/3');
  await user.click(await screen.findByRole('button', { name: /Add a line/ }));
  await user.click(button('Add a line'));
  await user.type(await input('Name, line 1'), ' and foremost');
  await act(async () => defaults.resolve({ name: 'New' }));
  const values = () =>
    screen.getAllByRole('textbox', { name: /Name, line/ }).map((one) => (one as HTMLInputElement).value);
  await waitFor(() => expect(values()).toEqual(['First and foremost', 'New', 'New']));
});

it('adds lines in their table and sends them with the form', async () => {
  const made = serve(withLines() as never);
  await draw('/web/m/thing/3');
  await user.click(await screen.findByRole('button', { name: /Add a line/ }));
  await user.click(button('Save'));
  expect(await screen.findByText('Some lines are incomplete.')).toBeTruthy();
  await user.type(await input('Name, line 2'), 'Second');
  await user.click(button('Remove line 1'));
  // The focus moves next to the removed line.
  await waitFor(() => expect(document.activeElement).toBe(button('Remove line 1')));
  await user.click(button('Save'));
  await waitFor(() => expect(made.some(({ path }) => path === 'save')).toBe(true));
  expect(made.find(({ path }) => path === 'save')?.params).toMatchObject({
    values: {
      line_ids: [
        [2, 5, false],
        [0, false, { name: 'Second' }],
      ],
    },
    seen: { line_ids: { ids: [5], lines: {} } },
  });
});

test('What is offered follows the fields beside it, and what is made anew begins with them', async () => {
  const { choicesOf } = await import('../../fields/choices.ts');
  const states = { domain: [['code', '!=', 'X']], within: { country_id: 'country_id' } };
  expect(choicesOf(states, { country_id: [75, 'France'] })).toEqual({
    domain: [
      ['country_id', '=', 75],
      ['code', '!=', 'X'],
    ],
    defaults: { country_id: [75, 'France'] },
  });
  expect(choicesOf(states, { country_id: false })).toEqual({ domain: [['code', '!=', 'X']], defaults: {} });
});

it('marks the cells that the server finds wrong, names them by their labels, and tells of a refusal as a message', async () => {
  const parent = model('thing', [
    field('name', { required: true }),
    field('line_ids', { kind: 'one2many', relation: 'line', relationField: 'thing_id', label: 'Lines' }),
  ]);
  const line = model('line', [field('name', { label: 'Description' })]);
  let refuse = (): never => {
    throw new FieldFaults({ 'line_ids.0.name': 'Fill in this field.' });
  };
  serve({
    model: ({ model: name }: { model: string }) =>
      name === 'thing' ? parent : { ...line, list: { ...line.list, columns: [{ field: 'name', optional: false }] } },
    read: ({ model: name }: { model: string }) =>
      name === 'thing' ? [{ id: 3, name: 'One', line_ids: [5] }] : [{ id: 5, name: 'First' }],
    name_get: () => [[3, 'One']],
    default_get: () => ({ name: false }),
    save: () => refuse(),
  });
  await draw('/web/m/thing/3');
  await user.click(await screen.findByRole('button', { name: /Add a line/ }));
  await user.click(button('Save'));
  expect(await screen.findByText('Fill in this field.')).toBeTruthy();
  expect(screen.getByText('Some lines need your attention.')).toBeTruthy();
  expect((await input('Description, line 2')).getAttribute('aria-invalid')).toBe('true');
  expect((await input('Description, line 1')).getAttribute('aria-invalid')).not.toBe('true');
  refuse = () => {
    throw new Error('It is too late for this.');
  };
  await user.type(await input('Description, line 2'), 'Second');
  await user.click(button('Save'));
  expect((await screen.findByRole('dialog')).textContent).toContain('It is too late for this.');
  expect(document.querySelector('[data-slot=reference]')).toBeNull();
});

const priced = model('thing', [
  field('name'),
  field('city'),
  field('total', { kind: 'float', readonly: true }),
  field('line_ids', { kind: 'one2many', relation: 'line', relationField: 'thing_id', label: 'Lines' }),
]);
const pricedLine = model('line', [field('name', { label: 'Name' }), field('price', { kind: 'float', label: 'Price' })]);
const columns = ['name', 'price'].map((name) => ({ field: name, optional: false }));
const pricedAnswers = {
  model: ({ model: name }: { model: string }) =>
    name === 'thing' ? priced : { ...pricedLine, list: { ...pricedLine.list, columns } },
  read: ({ model: name }: { model: string }) =>
    name === 'thing'
      ? [{ id: 3, name: 'One', city: 'Paris', total: 5, line_ids: [5] }]
      : [{ id: 5, name: 'First', price: 5 }],
  name_get: () => [[3, 'One']],
  default_get: () => ({}),
};
type Asked = { args: [number | false, Record<string, unknown>, unknown] };

it('shows what follows from what is typed, in lines too, and sends only what was typed', async () => {
  const made = serve({
    ...pricedAnswers,
    preview: ({ args: [, vals] }: Asked) => ({
      values: {
        id: 3,
        city: 'Rome',
        total: 14,
        line_ids: [{ id: 5, name: 'First', price: 6 }, ...(vals.line_ids ? [{ id: false, place: 0, price: 8 }] : [])],
      },
      problems: {},
      message: false,
    }),
    save: () => ({ conflicts: null }),
  });
  await draw('/web/m/thing/3');
  await user.click(await screen.findByRole('button', { name: /Add a line/ }));
  await user.type(await input('Name, line 2'), 'Second');
  await waitFor(async () => expect(((await input('Price, line 2')) as HTMLInputElement).value).toBe('8'));
  expect(((await input('Price, line 1')) as HTMLInputElement).value).toBe('6');
  expect(((await input('Name, line 2')) as HTMLInputElement).value).toBe('Second');
  expect(((await input('city')) as HTMLInputElement).value).toBe('Rome');
  expect(screen.getByText('14')).toBeTruthy();
  await user.click(button('Save'));
  await waitFor(() => expect(made.some(({ path }) => path === 'save')).toBe(true));
  expect(made.find(({ path }) => path === 'save')?.params).toMatchObject({
    values: { line_ids: [[0, false, { name: 'Second' }]] },
  });
});

it('goes by the newest answer, and leaves alone what is typed meanwhile', async () => {
  const late = Promise.withResolvers<void>();
  const made = serve({
    ...pricedAnswers,
    preview: async ({ args: [, vals] }: Asked) => {
      if (vals.name === 'One!') await late.promise;
      return {
        values: { id: 3, name: 'Other', city: `for ${String(vals.name)}`, total: 1 },
        problems: {},
        message: false,
      };
    },
  });
  await draw('/web/m/thing/3');
  await user.type(await input('name'), '!');
  await waitFor(() => expect(made.filter(({ path }) => path === 'preview')).toHaveLength(1));
  await user.type(await input('name'), '?');
  await waitFor(async () => expect(((await input('city')) as HTMLInputElement).value).toBe('for One!?'));
  await act(async () => late.resolve());
  expect(((await input('city')) as HTMLInputElement).value).toBe('for One!?');
  expect(((await input('name')) as HTMLInputElement).value).toBe('One!?');
});

it('says at the cell what the server has against it while one types', async () => {
  serve({
    ...pricedAnswers,
    preview: () => ({ values: false, problems: { 'line_ids.0.price': 'This is too much.' }, message: false }),
  });
  await draw('/web/m/thing/3');
  await user.type(await input('Price, line 1'), '9');
  expect(await screen.findByText('This is too much.')).toBeTruthy();
  expect((await input('Price, line 1')).getAttribute('aria-invalid')).toBe('true');
  expect((await input('Name, line 1')).getAttribute('aria-invalid')).not.toBe('true');
});

it('leads to the page of its record on the site', async () => {
  const open = jest.spyOn(window, 'open').mockReturnValue(null);
  const published = model('thing', [field('name'), field('website_url', { readonly: true })]);
  const form = { ...published.form, sections: [{ label: null, items: [item('name')], totals: false }] };
  serve({
    ...answers,
    model: () => ({ ...published, form }),
    read: () => [{ id: 3, name: 'One', website_url: '/things/one-3' }],
  });
  await draw('/web/m/thing/3');
  await input('name');
  await user.click(button('More'));
  await user.click(await screen.findByRole('button', { name: 'View on the website', hidden: true }));
  expect(open).toHaveBeenCalledWith('/things/one-3', '_blank', 'noopener');
});

it('offers a record’s documents in its menu, on this site only', () => {
  const pdf = { label: 'Print', url: '{url}/pdf', when: [['state', '=', 'sent']] };
  const row = { state: 'sent', url: 'https://other.test/quote/3/x' };
  expect(documentsOf([pdf], row)).toEqual([{ label: 'Print', address: '/quote/3/x/pdf' }]);
  expect(documentsOf([pdf], { ...row, state: 'draft' })).toEqual([]);
  expect(documentsOf([pdf], { ...row, url: false })).toEqual([]);
});
