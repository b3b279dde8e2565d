import 'pergola/testing/in-french';
import { render, screen } from '@testing-library/react';
import { ready } from 'pergola/browser';
import Accept from '../accept.tsx';
import Pricing from '../pricing.tsx';
import Summary from '../summary.tsx';

const line = { id: 5, name: 'Banc', more: [], quantity: '2', least: false, unit: '', price: '100,00', discount: '' };
const sums = { discounted: false, saved: '', sums: [], total: 20000, totalText: '200,00' };
const pricing = { lines: [{ ...line, subtotal: '200,00', was: '', changeable: true, removable: true }], ...sums };
const about = { id: 3, token: 'abc', path: '/quote/3/abc', reference: 'D3', version: 'v1', total: 20000 };

it('A quotation speaks French: what it comes to, its lines, and how it is accepted', async () => {
  await ready;
  const asked: string[] = [];
  globalThis.fetch = (async (address: string) => {
    asked.push(address);
    return { ok: true, json: async () => ({}) };
  }) as unknown as typeof fetch;
  render(
    <>
      <Summary totalText="200,00" acceptable path={about.path} />
      <Pricing id={3} token="abc" pricing={{ ...pricing, version: 'v1' }} />
      <Accept {...about} totalText="200,00" />
    </>,
  );
  expect(asked).toEqual(['/fr/quote/3/abc/viewed']);
  expect(screen.getByRole('heading', { name: 'Tarification' })).toBeDefined();
  expect(screen.getByRole('button', { name: /^Augmenter la quantité\s: Banc$/ }).closest('form')?.action).toMatch(
    /\/fr\/quote\/update_line\/form$/,
  );
  expect(screen.getByText(/En signant, vous acceptez ce devis d’un montant de 200,00/)).toBeDefined();
  expect(screen.getByText('Refuser ce devis')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Accepter et signer' })).toBeDefined();
});
