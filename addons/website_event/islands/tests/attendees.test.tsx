import { buyer } from '@pergola/website_sale/kit';
import { act, cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import Attendees from '../attendees.tsx';

const seat = (number: number, more = {}) => ({
  key: `attendee-12-${number}`,
  number,
  name: '',
  email: '',
  same: false,
  nameError: null,
  emailError: null,
  ...more,
});
const show = (...seats: ReturnType<typeof seat>[]) =>
  render(
    <form>
      <Attendees tickets={[{ title: 'Garden party: Standard', seats }]} />
    </form>,
  );
const field = (name: string) => screen.getByLabelText<HTMLInputElement>(new RegExp(`^${name}`));
const sent = () => Object.fromEntries(new FormData(document.querySelector('form') ?? undefined));

afterEach(() => {
  cleanup();
  buyer.set(null);
});

it('“Same as buyer” takes the buyer as they write themselves, and gives back what was there', async () => {
  show(seat(1, { name: 'Kay' }), seat(2));
  act(() => buyer.set({ name: 'Grace', email: '' }));
  await userEvent.click(field('Ticket 1: same as buyer'));
  expect([field('Ticket 1: name').value, field('Ticket 1: name').readOnly]).toEqual(['Grace', true]);
  act(() => buyer.set({ name: 'Grace Hopper', email: 'grace@example.com' }));
  await userEvent.type(field('Ticket 2: name'), 'Ada');
  expect(sent()).toEqual({
    'attendee-12-1-same': 'on',
    'attendee-12-1-name': 'Grace Hopper',
    'attendee-12-1-email': 'grace@example.com',
    'attendee-12-2-name': 'Ada',
    'attendee-12-2-email': '',
  });
  await userEvent.click(field('Ticket 1: same as buyer'));
  expect([field('Ticket 1: name').value, field('Ticket 1: name').readOnly]).toEqual(['Kay', false]);
});

it('says beside a field what is wrong with it, and can be written in as long as nobody says who buys', () => {
  show(seat(1, { name: 'Kay', email: 'nonsense', same: true, emailError: 'Enter a valid email address.' }));
  expect([field('Ticket 1: same as buyer').checked, field('Ticket 1: name').readOnly]).toEqual([true, false]);
  expect(screen.getByText('Enter a valid email address.').id).toBe('attendee-12-1-email-error');
});
