import 'pergola/testing/in-french';
import { jest } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { ready } from 'pergola/browser';
import Countdown from '../countdown.tsx';
import Follow from '../follow.tsx';
import KanbanColumn from '../kanban-column.tsx';
import Publish from '../publish.tsx';
import Share from '../share.tsx';

const column = {
  id: 3,
  name: 'Euro',
  count: 1234,
  domain: '[]',
  model: 'x',
  template: 'y',
  step: '10',
  orderby: 'name',
};
const pager = { signature: 's', scope: 5, page: 1, page_count: 7, address: '/pays' };
const toastText = () => document.querySelector('.toast-note')?.textContent;

beforeAll(() => ready);
beforeEach(() => {
  globalThis.fetch = () => Promise.reject(new TypeError('Failed to fetch'));
});
afterEach(() => {
  cleanup();
  document.querySelector('.toasts')?.remove();
});

it('Sharing speaks French', async () => {
  render(<Share address="https://site.example/fr/a" title="Pain" />);
  expect(screen.getByRole('link', { name: 'Partager sur X' })).toBeDefined();
  Object.assign(navigator, { clipboard: { writeText: jest.fn<() => Promise<void>>().mockResolvedValue() } });
  await userEvent.click(screen.getByRole('link', { name: 'Copier le lien' }));
  expect(await screen.findByText('Lien copié.')).toBeDefined();
});

it('So does a column, which counts in it', async () => {
  render(<KanbanColumn {...column} {...pager} />);
  expect(screen.getByText('1 234')).toBeDefined();
  expect(screen.getByRole('navigation', { name: 'Pages de Euro' })).toBeDefined();
  const next = screen.getByRole('link', { name: 'Page suivante' });
  expect(next.getAttribute('href')).toBe('/fr/pays?kanban=3-2');
  await userEvent.click(next);
  await screen.findByText('Impossible de charger cette page. Réessayez.');
  expect(toastText()).toBeDefined();
});

it('So does publishing', () => {
  render(<Publish id={7} model="website.page" published={false} />);
  expect(screen.getByRole('button', { name: 'Non publié. Publier' })).toBeDefined();
});

it('So does following', async () => {
  render(<Follow model="x" id={1} following={false} />);
  await userEvent.click(screen.getByRole('button', { name: 'S’abonner' }));
  expect(await screen.findByText('Saisissez une adresse e-mail valide.')).toBeDefined();
  expect(document.activeElement).toBe(screen.getByLabelText('Votre adresse e-mail'));
});

it('A countdown speaks French', () => {
  render(<Countdown until="2000-01-01T10:00:00Z" left={{ days: 0, hours: 0, minutes: 0 }} done="" />);
  expect(screen.getByText('C’est parti !')).toBeDefined();
  expect(screen.getByText('Jours')).toBeDefined();
});
