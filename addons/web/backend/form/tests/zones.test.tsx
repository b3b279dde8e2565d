import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { draw, field, fillGaps, model, serve } from './kit.tsx';

beforeAll(fillGaps);
afterEach(cleanup);
const user = userEvent.setup();

const show = model('show', [
  field('name'),
  field('begins', { kind: 'datetime', label: 'Begins', timezoneField: 'zone' }),
  field('printed', { kind: 'datetime', label: 'Printed', readonly: true, timezoneField: 'zone' }),
  field('zone', { label: 'Time zone' }),
]);

async function open(begins: string, zone: string) {
  const calls = serve({
    model: () => show,
    read: () => [{ id: 3, name: 'One', begins, printed: begins, zone }],
    name_get: () => [[3, 'One']],
    save: () => ({ saved: true, conflicts: null }),
  });
  await draw('/web/m/show/3');
  const input = (await screen.findByLabelText(/^Begins/)) as HTMLInputElement;
  const save = async () => {
    await user.click(screen.getByRole('button', { name: 'Save', hidden: true }));
    return waitFor(() => {
      const call = calls.find(({ path }) => path === 'save');
      if (!call) throw new Error('not saved yet');
      return call.params.values;
    });
  };
  return { input, save };
}

it('shows and takes times in the zone of the record, and says so', async () => {
  const { input, save } = await open('2027-05-10 23:00:00', 'America/New_York');
  expect(input.value).toBe('2027-05-10T19:00');
  expect(input.getAttribute('aria-describedby')).not.toBeNull();
  expect(screen.getAllByText('New York time').length).toBeGreaterThan(0);
  expect(screen.getByText(/7:00\sPM \(New York time\)/)).toBeTruthy();
  fireEvent.change(input, { target: { value: '2027-05-10T20:30' } });
  expect(await save()).toEqual({ begins: '2027-05-11 00:30:00' });
});

it('keeps the time on the clocks when the zone is changed', async () => {
  const { input, save } = await open('2027-05-10 23:00:00', 'America/New_York');
  fireEvent.change(await screen.findByLabelText(/^Time zone/), { target: { value: 'America/Chi' } });
  fireEvent.change(await screen.findByLabelText(/^Time zone/), { target: { value: 'America/Chicago' } });
  await waitFor(() => expect(input.value).toBe('2027-05-10T19:00'));
  expect(await save()).toEqual({ begins: '2027-05-11 00:00:00', zone: 'America/Chicago' });
});

it('lets people choose between two hours of one name', async () => {
  const { input, save } = await open('2027-10-31 01:30:00', 'Europe/Paris');
  expect(input.value).toBe('2027-10-31T02:30');
  const hours = screen.getByLabelText('Before or after the clock change') as HTMLSelectElement;
  expect(hours.value).toBe('2027-10-31 01:30:00');
  expect([...hours.options].map(({ text }) => text.replace(/\s/g, ' '))).toEqual([
    'Oct 31, 2027, 2:30 AM GMT+2',
    'Oct 31, 2027, 2:30 AM GMT+1',
  ]);
  await user.selectOptions(hours, '2027-10-31 00:30:00');
  expect(await save()).toEqual({ begins: '2027-10-31 00:30:00' });
});

it('says that a time is skipped', async () => {
  const { input, save } = await open('2027-03-27 12:00:00', 'Europe/Paris');
  fireEvent.change(input, { target: { value: '2027-03-28T02:30' } });
  await screen.findByText('02:30 doesn’t exist that day because clocks go forward. The time was adjusted.');
  expect(input.value).toBe('2027-03-28T03:30');
  expect(await save()).toEqual({ begins: '2027-03-28 01:30:00' });
});
