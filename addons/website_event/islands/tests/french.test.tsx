import 'pergola/testing/in-french';
import { jest } from '@jest/globals';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { ready } from 'pergola/browser';
import CheckIn from '../check-in.tsx';
import CountryEvents from '../country-events.tsx';
import TicketForm from '../ticket-form.tsx';

const euro = (value: number) => ({ value, digits: 2, before: '', after: '\u00a0€' });
const ticket = {
  description: null,
  few: null,
  closes: null,
  opens: null,
  numbers: [0, 1, 2],
  mostWaited: 9,
  state: 'open' as const,
};
const price = { free: false, amount: euro(1000), before: null };
const tickets = [
  { ...ticket, id: 1, name: 'Standard', price },
  { ...ticket, id: 2, name: 'VIP', price: null, state: 'sold_out' as const },
  { ...ticket, id: 3, name: 'Tard', price: null, state: 'soon' as const, opens: '1 décembre' },
];

beforeAll(() => ready);
afterEach(cleanup);

it('Tickets speak French, and are added up in it', async () => {
  render(<TicketForm event={5} name="Fête" kept="Gardés." tickets={tickets} />);
  await userEvent.selectOptions(screen.getByLabelText('Quantité : Standard'), '2');
  expect(document.querySelector('[data-slot=ticket-total]')?.textContent).toBe('Total 2\u202f000,00\u00a0€');
  expect(screen.getByRole('button', { name: 'Commander' }).closest('form')?.getAttribute('action')).toBe(
    '/fr/event/cart/update?event_id=5',
  );
  expect(screen.getByText('En vente dès le 1 décembre')).toBeDefined();
  expect(screen.getByText('Liste d’attente : VIP')).toBeDefined();
});

it('So does the door', () => {
  render(<CheckIn action="/event/check-in/fete-1" />);
  expect(document.activeElement).toBe(screen.getByLabelText('Code du billet'));
  expect(screen.getByRole('button', { name: 'Valider l’entrée' })).toBeDefined();
});

it('The events of a country are asked for in French', async () => {
  const asked = jest.fn(async () => ({ ok: true, text: async () => '<p>En Belgique</p>' }) as Response);
  globalThis.fetch = asked as unknown as typeof fetch;
  render(<CountryEvents />);
  await screen.findByText('En Belgique');
  await waitFor(() => expect((asked.mock.calls[0] as unknown[])[0]).toBe('/fr/event/get_country_event_list'));
});
