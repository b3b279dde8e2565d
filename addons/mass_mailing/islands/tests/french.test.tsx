/** @jest-environment jsdom */
import 'pergola/testing/in-french';
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { ready } from 'pergola/browser';
import Subscribe from '../subscribe.tsx';

test('The form to subscribe speaks French', async () => {
  await ready;
  globalThis.fetch = () => Promise.reject(new TypeError('Failed to fetch'));
  render(
    <Subscribe
      lists={[{ id: 3, name: 'Lettre', description: null }]}
      chosen={[]}
      redirect="/newsletter"
      email=""
      error=""
    />,
  );
  expect(document.forms[0]?.action).toContain('/fr/website_mass_mailing/subscribe/form');
  await userEvent.click(screen.getByRole('button', { name: 'S’abonner' }));
  expect(screen.getByText('Saisissez une adresse e-mail, par exemple vous@example.org.')).toBeDefined();
});
