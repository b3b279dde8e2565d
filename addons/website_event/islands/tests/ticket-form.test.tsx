import { jest } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import TicketForm from '../ticket-form.tsx';

const dollars = (value: number) => ({ value, digits: 2, before: '$', after: '' });
const open = {
  id: 1,
  name: 'Standard',
  description: null,
  state: 'open' as const,
  price: { free: false, amount: dollars(1000), before: null },
  few: null,
  numbers: [0, 1, 2, 3],
  mostWaited: 9,
  opens: null,
  closes: null,
};
const vip = { ...open, id: 2, name: 'VIP', price: { free: false, amount: dollars(1500), before: dollars(1800) } };
const soldOut = { ...open, id: 3, name: 'Early', state: 'sold_out' as const, numbers: [] };
const soon = { ...open, id: 4, name: 'Late', state: 'soon' as const, numbers: [], opens: 'December 1' };
const form = { event: 5, name: 'Garden party', kept: 'Kept for you.' };

afterEach(cleanup);

it('adds up what is chosen', async () => {
  render(<TicketForm {...form} tickets={[open, vip, soldOut, soon]} />);
  const total = document.querySelector('[data-slot=ticket-total]');
  expect(total?.textContent).toBe('');
  await userEvent.selectOptions(screen.getByLabelText('Quantity: Standard'), '2');
  await userEvent.selectOptions(screen.getByLabelText('Quantity: VIP'), '3');
  expect(total?.textContent).toBe('Total $6,500.00');
  const sent = new FormData(document.querySelector<HTMLFormElement>('[data-slot=ticket-form]') ?? undefined);
  expect(Object.fromEntries(sent)).toEqual({ event_id: '5', 'ticket-1': '2', 'ticket-2': '3' });
  expect(screen.getByText('Sold out')).toBeDefined();
  expect(screen.getByText('On sale from December 1')).toBeDefined();
  await userEvent.selectOptions(screen.getByLabelText('Quantity: Standard'), '0');
  await userEvent.selectOptions(screen.getByLabelText('Quantity: VIP'), '0');
  expect(total?.textContent).toBe('');
});

it('is no form to send where none can be bought', () => {
  render(<TicketForm {...form} kept={null} tickets={[soldOut]} />);
  expect(screen.queryByRole('button', { name: 'Order Now' })).toBeNull();
});

it('says beside a field of the waiting list what is wrong with it', async () => {
  const refused = { error: { code: 'x', title: 'No', message: 'No', fields: { email: 'Please give an address.' } } };
  const asked = jest.fn(async () => ({ ok: false, status: 422, json: async () => refused }) as Response);
  globalThis.fetch = asked as unknown as typeof fetch;
  render(<TicketForm {...form} kept={null} tickets={[soldOut]} />);
  await userEvent.click(screen.getByText('Waiting list for Early'));
  await userEvent.type(screen.getByLabelText('Your name'), 'Ada');
  await userEvent.type(screen.getByLabelText('Email address'), 'ada@example');
  await userEvent.click(screen.getByRole('button', { name: 'Join the waiting list' }));
  expect((await screen.findByText('Please give an address.')).id).toBe('waiting-3-email-error');
  const [path, { body }] = asked.mock.calls[0] as unknown as [string, { body: URLSearchParams }];
  expect([path, Object.fromEntries(body)]).toEqual([
    '/event/waiting/join',
    { ticket: '3', name: 'Ada', email: 'ada@example', quantity: '1' },
  ]);
});
